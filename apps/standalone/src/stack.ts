import { access } from 'node:fs/promises';
import { join } from 'node:path';
import {
  assertPortFree,
  type ProcessListener,
  RuntimeError,
  type Servers,
  startServers,
} from '@loci/runtime';
import { adminKey } from './admin-key.js';
import { type StandaloneEnv } from './env.js';
import { migrate } from './migrations.js';
import { readModelSettings } from './model-settings.js';
import { type ProcessTable, type ServiceRow } from './process-table.js';
import { restore } from './restore.js';
import { serviceSpec, type Surroundings } from './services.js';

export interface StackOptions {
  readonly env: StandaloneEnv;
  readonly table: ProcessTable;
  /** The folder of the apps, built. */
  readonly appsFolder: string;
  /** Stops everything, also in the middle of a start. */
  readonly signal: AbortSignal;
  readonly onEvent: ProcessListener;
  /** Told about steps that are not a process becoming ready. */
  readonly onStep: (step: string) => void;
}

/**
 * Starts the servers, brings the schemas up to date, restores a backup if one is named, and starts the services.
 * @throws RuntimeError with everything stopped again; the signal's reason when it was called off
 */
export async function startStack(options: StackOptions): Promise<Servers> {
  const { env, table, appsFolder, signal, onEvent, onStep } = options;
  const { port, host } = env;
  await assertPortFree({ port, host, portVariable: 'PORT', hostVariable: 'HOST' });
  await assertBuilt(table, appsFolder);
  const { dataDir, urls, ports } = env;
  const servers = await startServers({ dataDir, durability: 'durable', urls, ports, onEvent, signal });
  const stop = (): void => void servers.stop();
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    const [models, access] = await Promise.all([readModelSettings(env, process.env), accessEnv(env)]);
    const surroundings = { appsFolder, env, servers, models, access };
    const logsFolder = servers.folder.part('logs');
    await migrate(table.migrations, { ...surroundings, logsFolder, signal });
    onStep('schemas are up to date');
    if (env.restoreFrom !== undefined) {
      await restore(env.restoreFrom, { databaseUrl: servers.databaseUrl, logsFolder, signal });
      onStep(`${env.restoreFrom} is restored`);
    }
    await startServices(table, surroundings, servers);
    return servers;
  } catch (error) {
    await servers.stop();
    throw signal.aborted ? signal.reason : error;
  }
}

/**
 * Starts what answers operations and what works in the background in parallel, and what serves clients when the first
 * of these are ready: a client that waited for `/health/ready` of PORT is answered. Each is a group of its own,
 * because the last group stops first.
 */
async function startServices(
  table: ProcessTable,
  surroundings: Surroundings,
  { supervisor }: Servers,
): Promise<void> {
  const start = async (isChosen: (row: ServiceRow) => boolean): Promise<void> => {
    const rows = table.services.filter(isChosen);
    await supervisor.start(await Promise.all(rows.map((row) => serviceSpec(row, surroundings))));
  };
  const background = start(({ isBackground }) => isBackground === true);
  const serving = start(({ serves, isBackground }) => serves === 'operator' && !isBackground).then(() =>
    start(({ serves }) => serves === 'clients'),
  );
  await Promise.all([background, serving]);
}

/** What the gateway has to know about who may do what. */
async function accessEnv({ isAuthRequired, dataDir }: StandaloneEnv): Promise<Record<string, string>> {
  if (!isAuthRequired) return { AUTH: 'off' };
  return { AUTH: 'on', LOCI_ADMIN_KEY: process.env['LOCI_ADMIN_KEY'] || (await adminKey(dataDir)) };
}

async function assertBuilt({ migrations, services }: ProcessTable, appsFolder: string): Promise<void> {
  for (const { main } of [...migrations, ...services]) {
    const path = join(appsFolder, main);
    await access(path).catch((cause: unknown) => {
      throw new RuntimeError('binary_missing', `${path} is missing: run npm run build.`, { cause });
    });
  }
}
