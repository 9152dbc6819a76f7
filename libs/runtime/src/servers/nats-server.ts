import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Credentials, writeSecretly } from '../access/credentials.js';
import { NATS_PERMISSIONS } from '../access/nats-permissions.generated.js';
import { natsAuthorization, type NatsUser } from '../access/nats-users.js';
import { type Answer, answerOf, answersOk } from '../processes/http-ready.js';
import { hanging } from '../processes/silence.js';
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
/** With less, a restart would not help for long. */
const ROOM_BYTES = 64 * 1024 * 1024;
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
  // it speaks first
  const hangs = hanging({ host: LOOPBACK, port, text: '' });
  const health = `http://${LOOPBACK}:${monitorPort}/healthz`;
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
    isReady: () => answersOk(health),
    stuck: {
      everyMs: hangs.everyMs,
      is: async () => (await hangs.is()) || (hasWriteError(await answerOf(health)) && (await hasRoom(cwd))),
    },
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

/**
 * A stream that could not be written once, as on a full disk, takes no message until the server is started again: its health
 * says so.
 */
export const hasWriteError = (health: Answer | undefined): boolean =>
  health?.status === 503 && health.text.includes('write error');

async function hasRoom(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize >= ROOM_BYTES;
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
