import { checkHealth, type ServiceHealth, type ServiceName } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { type ResourceAnswer } from './resource.wire.js';

/** The servers that Loci stands on, by the names that services report them under. */
const POSTGRES = { name: 'postgres', provider: 'postgres' };
const QDRANT = { name: 'qdrant', provider: 'qdrant' };
const NATS = { name: 'nats', provider: 'nats' };

/** The state of the servers, as the services that use them see it now. */
@Injectable()
export class Databases {
  constructor(private readonly rpc: RpcClient) {}

  async list(): Promise<ResourceAnswer[]> {
    const [config, episodic] = await Promise.all([this.healthOf('config'), this.healthOf('episodic')]);
    const nats = config || episodic ? READY : unknown('No service answers over NATS.');
    return [
      { ...POSTGRES, ...stateOf(POSTGRES.name, config, episodic) },
      { ...QDRANT, ...stateOf(QDRANT.name, episodic) },
      { ...NATS, ...nats },
    ];
  }

  private healthOf(service: ServiceName): Promise<ServiceHealth | undefined> {
    return this.rpc.call(checkHealth(service), {}).catch(() => undefined);
  }
}

type State = Pick<ResourceAnswer, 'status' | 'error'>;

const READY: State = { status: 'ready', error: null };

/** Not known at the moment. */
const unknown = (error: string): State => ({ status: 'pending', error });

function stateOf(server: string, ...healths: readonly (ServiceHealth | undefined)[]): State {
  const known = healths.filter((health) => health !== undefined);
  if (known.length === 0) return unknown('The service that uses it does not answer.');
  return known.some(({ failing }) => failing.includes(server))
    ? { status: 'failed', error: 'It does not answer.' }
    : READY;
}
