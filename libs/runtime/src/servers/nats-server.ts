import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Credentials, writeSecretly } from '../access/credentials.js';
import { NATS_PERMISSIONS } from '../access/nats-permissions.generated.js';
import { natsAuthorization, type NatsUser } from '../access/nats-users.js';
import { answersOk } from '../processes/http-ready.js';
import { findBinary, NATS_BINARY } from './npm-binaries.js';
import { type ProcessSpec } from '../processes/process-spec.js';
import { LOOPBACK, serverEnv, type ServerOptions, type TlsFiles } from './server-options.js';
import { endStrays } from './stray-processes.js';

export interface NatsServerOptions extends Omit<ServerOptions, 'durability'> {
  /** Serves `/healthz` and statistics. */
  readonly monitorPort: number;
}

/** Bounds what JetStream may take; by itself it reserves most of the machine (17.7 GB of memory on one of 24 GB). */
const MAX_MEMORY_STORE = '256MB';
const MAX_FILE_STORE = '10GB';
/** A batch of messages travels as one; 8 MB is the most that NATS recommends, 1 MB its default. */
const MAX_PAYLOAD = '8MB';

export const natsUrl = (port: number, credentials: Credentials, user: NatsUser, tls?: TlsFiles): string =>
  `${tls ? 'tls' : 'nats'}://${user}:${credentials[`nats-${user}`]}@${LOOPBACK}:${port}`;

/** A NATS server with JetStream on the folder's `nats`, for those who have its credentials. How often it syncs to disk is left at its own default. */
export async function natsServer({
  folder,
  credentials,
  port,
  monitorPort,
  tls,
}: NatsServerOptions): Promise<ProcessSpec> {
  const program = await findBinary(NATS_BINARY);
  const cwd = folder.part('nats');
  const configFile = join(cwd, 'nats.conf');
  return {
    name: 'nats',
    command: [program, '-c', configFile],
    cwd,
    env: serverEnv,
    ports: { client: port, monitor: monitorPort },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 4_000,
    readyTimeoutMs: 30_000,
    deathSignal: 'SIGTERM',
    retryStart: { forMs: 0, when: () => false },
    isReady: () => answersOk(`http://${LOOPBACK}:${monitorPort}/healthz`),
    async prepare() {
      await endStrays({ program, cwd });
      await mkdir(cwd, { recursive: true });
      const users = natsAuthorization(NATS_PERMISSIONS, (user) =>
        JSON.stringify(credentials[`nats-${user}`]),
      );
      await writeSecretly(configFile, `${natsConfig(port, monitorPort, cwd)}${natsTls(tls)}${users}`);
    },
  };
}

const natsTls = (tls: TlsFiles | undefined): string =>
  tls ? `tls { cert_file: ${JSON.stringify(tls.certificate)}, key_file: ${JSON.stringify(tls.key)} }\n` : '';

/** NATS adds `/jetstream` to the directory by itself. */
function natsConfig(port: number, monitorPort: number, storeDir: string): string {
  return [
    `listen: "${LOOPBACK}:${port}"`,
    `http: "${LOOPBACK}:${monitorPort}"`,
    `max_payload: ${MAX_PAYLOAD}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(storeDir)}`,
    `  max_mem: ${MAX_MEMORY_STORE}`,
    `  max_file: ${MAX_FILE_STORE}`,
    '}',
    '',
  ].join('\n');
}
