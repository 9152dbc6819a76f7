import { join } from 'node:path';
import { connectionEnv, freePort, nodeService, type ProcessSpec, type Servers } from '@loci/runtime';
import { localUrl } from './addresses.js';
import { type StandaloneEnv } from './env.js';
import { modelEnv, type ModelSettings } from './model-settings.js';
import { type ServiceRow } from './process-table.js';

/** Where the processes of the table are, and what they are run with. */
export interface Surroundings {
  /** The folder of the apps, built. */
  readonly appsFolder: string;
  readonly env: StandaloneEnv;
  readonly servers: Pick<
    Servers,
    'natsUrlOf' | 'databaseUrl' | 'databaseUrlOf' | 'qdrantUrl' | 'qdrantApiKey'
  >;
  readonly models: ModelSettings;
  /** Further environment of those that serve clients. */
  readonly access: Readonly<Record<string, string>>;
}

/** Two of these and the servers' four seconds make the ten that a stop may take. */
const STOP_TIMEOUT_MS = 3_000;

/** How to run one service: on its own port with its own settings. */
export async function serviceSpec(row: ServiceRow, surroundings: Surroundings): Promise<ProcessSpec> {
  const { appsFolder } = surroundings;
  const door = await doorOf(row, surroundings);
  return nodeService({
    name: row.name,
    main: join(appsFolder, row.main),
    env: {
      ...commonEnv(row.name, surroundings),
      ...connectionEnv(surroundings.servers, row),
      ...(row.needs.includes('models') && modelEnv(surroundings.models)),
      ...door.env,
    },
    ports: { http: door.port },
    readyUrl: `${door.url}/health/ready`,
    liveUrl: `${door.url}/health/live`,
    niceness: row.isBackground && surroundings.env.workerNiceness,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
}

/** What every process of the table finds in its environment, a migration as well as a service. */
export const commonEnv = (name: string, { env }: Pick<Surroundings, 'env'>): Record<string, string> => ({
  NODE_ENV: 'production',
  SERVICE_NAME: name,
  LOG_LEVEL: env.logLevel,
});

interface Door {
  readonly port: number;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}

async function doorOf({ serves }: ServiceRow, { env: { host, port }, access }: Surroundings): Promise<Door> {
  switch (serves) {
    case 'clients':
      return { port, url: localUrl(host, port), env: { ...access, HOST: host, PORT: String(port) } };
    case 'operator': {
      const own = await freePort();
      return { port: own, url: localUrl('127.0.0.1', own), env: { PROBE_PORT: String(own) } };
    }
  }
}
