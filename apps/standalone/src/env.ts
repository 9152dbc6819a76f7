import { resolve } from 'node:path';
import { isLoopback } from '@loci/platform/loopback';

const DEFAULT_HOST = '127.0.0.1';
const AUTH_MODES = ['on', 'off', 'auto'];
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

/** Where servers of one's own may be reached: which variable names one, and which kinds of address fit. */
const SERVER_URLS = {
  nats: { variable: 'NATS_URL', protocols: ['nats:', 'tls:', 'ws:', 'wss:'] },
  postgres: { variable: 'DATABASE_URL', protocols: ['postgres:', 'postgresql:'] },
  qdrant: { variable: 'QDRANT_URL', protocols: ['http:', 'https:'] },
} as const;

const SERVER_PORTS = { nats: 'NATS_PORT', postgres: 'POSTGRES_PORT', qdrant: 'QDRANT_PORT' } as const;

type Server = keyof typeof SERVER_URLS;

/** The settings of the launcher. */
export interface StandaloneEnv {
  /** Of the gateway. */
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** The folder of a backup that is put into the data folder, which has no data; absolute. */
  readonly restoreFrom: string | undefined;
  /** Whether callers have to say who they are. */
  readonly isAuthRequired: boolean;
  /** Of every service. */
  readonly logLevel: string;
  /** 0 to 19: how much the workers yield to those who answer requests, and to everything else on the machine. */
  readonly workerNiceness: number;
  /** Servers that run elsewhere and are not started. */
  readonly urls: Readonly<Partial<Record<Server, string>>>;
  /** Fixed ports of the servers that are started. */
  readonly ports: Readonly<Partial<Record<Server, number>>>;
}

/** A setting does not fit; the message names it and says what would. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

/** @throws EnvError for the first variable that does not fit; an empty one counts as absent */
export function readEnv(source: NodeJS.ProcessEnv): StandaloneEnv {
  const logLevel = source['LOCI_LOG_LEVEL'] || 'warn';
  if (!LOG_LEVELS.includes(logLevel)) {
    throw new EnvError(`LOCI_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${logLevel}".`);
  }
  return {
    port: readPort(source, 'PORT') ?? 8080,
    host: source['HOST'] || DEFAULT_HOST,
    isAuthRequired: readAuth(source),
    dataDir: resolve(source['LOCI_DATA_DIR'] || '.loci'),
    restoreFrom: source['LOCI_RESTORE'] ? resolve(source['LOCI_RESTORE']) : undefined,
    logLevel,
    workerNiceness: readNiceness(source),
    urls: perServer((server) => readUrl(source, server)),
    ports: perServer((server) => readPort(source, SERVER_PORTS[server])),
  };
}

/** Unless it is said, only who listens on this machine alone is open. */
function readAuth(source: NodeJS.ProcessEnv): boolean {
  const mode = source['AUTH'] || 'auto';
  if (!AUTH_MODES.includes(mode))
    throw new EnvError(`AUTH must be one of ${AUTH_MODES.join(', ')}, not "${mode}".`);
  return mode === 'auto' ? !isLoopback(source['HOST'] || DEFAULT_HOST) : mode === 'on';
}

function perServer<T>(read: (server: Server) => T | undefined): Partial<Record<Server, T>> {
  const values: Partial<Record<Server, T>> = {};
  for (const server of ['nats', 'postgres', 'qdrant'] as const) {
    const value = read(server);
    if (value !== undefined) values[server] = value;
  }
  return values;
}

function readPort(source: NodeJS.ProcessEnv, variable: string): number | undefined {
  const text = source[variable];
  if (!text) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new EnvError(`${variable} must be a port number from 1 to 65535, not "${text}".`);
}

function readNiceness(source: NodeJS.ProcessEnv): number {
  const text = source['WORKER_NICENESS'] || '10';
  if (/^1?\d$/.test(text)) return Number(text);
  throw new EnvError(`WORKER_NICENESS must be a whole number from 0 to 19, not "${text}".`);
}

/** The value stays out of the message: it may hold a password. */
function readUrl(source: NodeJS.ProcessEnv, server: Server): string | undefined {
  const { variable, protocols } = SERVER_URLS[server];
  const text = source[variable];
  if (!text) return undefined;
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocols.some((fitting) => fitting === protocol)) return text;
  throw new EnvError(
    `${variable} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
  );
}
