import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { answersOk } from '../processes/http-ready.js';
import { hanging, httpQuestion } from '../processes/silence.js';
import { findBinary, QDRANT_BINARY } from './npm-binaries.js';
import { type ProcessSpec } from '../processes/process-spec.js';
import { LOOPBACK, serverEnv, type ServerOptions, type TlsFiles } from './server-options.js';
import { writeSecretly } from '../access/credentials.js';
import { endStrays } from './stray-processes.js';

export const qdrantUrl = (port: number, tls?: TlsFiles): string =>
  `${tls ? 'https' : 'http'}://${LOOPBACK}:${port}`;

/** A Qdrant server on the folder's `qdrant`: REST only, behind its API key, no telemetry, no browser access. */
export async function qdrantServer({
  folder,
  credentials,
  port,
  durability,
  tls,
}: ServerOptions): Promise<ProcessSpec> {
  const program = await findBinary(QDRANT_BINARY);
  const cwd = folder.part('qdrant');
  const configFile = join(cwd, 'qdrant.yaml');
  return {
    name: 'qdrant',
    command: [program, '--disable-telemetry', '--config-path', configFile],
    cwd,
    env: serverEnv,
    ports: { http: port },
    stopSignal: 'SIGTERM',
    // it waits 4 to 5 s for clients that keep a connection open; its log makes a harder end safe
    stopTimeoutMs: durability === 'durable' ? 4_000 : 500,
    // it reads all of its folder before it answers, which took longer than 30 s at ten million points
    readyTimeoutMs: 300_000,
    deathSignal: 'SIGKILL',
    retryStart: { forMs: 10_000, when: (lastLines) => lastLines.includes('WouldBlock') },
    isReady: () => answersOk(`${qdrantUrl(port, tls)}/readyz`, tls?.authority),
    stuck: hanging(httpQuestion(`${qdrantUrl(port, tls)}/readyz`)),
    async prepare() {
      await endStrays({ program, cwd });
      await mkdir(cwd, { recursive: true });
      await writeSecretly(configFile, qdrantConfig(port, cwd, credentials.qdrant, tls));
    },
  };
}

/** Only a file can switch gRPC off: without it every instance on the machine wants port 6334. JSON is YAML. */
function qdrantConfig(port: number, cwd: string, apiKey: string, tls: TlsFiles | undefined): string {
  const config = {
    log_level: 'WARN',
    telemetry_disabled: true,
    storage: {
      storage_path: join(cwd, 'storage'),
      snapshots_path: join(cwd, 'snapshots'),
    },
    service: {
      host: LOOPBACK,
      api_key: apiKey,
      http_port: port,
      grpc_port: null,
      enable_cors: false,
      enable_static_content: false,
      enable_tls: tls !== undefined,
    },
    ...(tls && { tls: { cert: tls.certificate, key: tls.key } }),
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
