import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionEnv } from '@loci/runtime';
import { type Fleet } from '@loci/testing';
import pg from 'pg';
import { ALL_PROCESSES } from '../processes.js';
import { type Drill, type Say, withFleet } from './drill.js';
import { Traffic } from './traffic.js';

const BROKEN = 'IndexBacklog1763700000170';

const CLIENTS = 4;
const SERVED_FOR_MS = 5_000;

/** A migration fails, as that of a new version may: the processes of before go on, new ones do not start. */
export const migrationDrill: Drill = (say) =>
  withFleet({}, async (fleet) => {
    const traffic = new Traffic(() => fleet.url, CLIENTS);
    const problems: string[] = [];
    await breakMigration(fleet);
    const migration = await exitOf(fleet, 'episodic-service/dist/migrate.main.js', 'migrate', say);
    if (migration === 0) problems.push('a migration that cannot be done ended with 0');
    const api = await exitOf(fleet, 'episodic-service/dist/api.main.js', 'api', say);
    if (api === 0) problems.push('a process started on a schema that is not its own');
    await sleep(SERVED_FOR_MS);
    await traffic.stop();
    say(
      `requests meanwhile: ${[...traffic.answers].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    );
    if (traffic.failures > 0) problems.push(`${traffic.failures} requests failed`);
    return problems;
  });

/** It is forgotten that it was done, and what it makes is there already. The last ones can be done twice. */
async function breakMigration({ servers }: Fleet): Promise<void> {
  const client = new pg.Client({ connectionString: servers.databaseUrl });
  await client.connect();
  const { rowCount } = await client.query('DELETE FROM episodic.migrations WHERE name = $1', [BROKEN]);
  if (rowCount !== 1) throw new Error(`The migration ${BROKEN} was not done.`);
  await client.end();
}

async function exitOf(
  { servers }: Fleet,
  main: string,
  kind: 'migrate' | 'api',
  say: Say,
): Promise<number | null> {
  const service = ALL_PROCESSES.services.find((one) => one.name === 'episodic-api');
  if (!service) throw new Error('There is no episodic-api.');
  const child = spawn(process.execPath, [`apps/${main}`], {
    env: {
      ...process.env,
      ...connectionEnv(servers, service),
      ...(kind === 'migrate' && { DATABASE_URL: servers.databaseUrl }),
      LOCI_SECRET_KEYS: `test:${Buffer.alloc(32, 'fleet').toString('base64')}`,
      PROBE_PORT: '0',
      LOG_LEVEL: 'error',
      SERVICE_NAME: `new-${kind}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += String(data)));
  const begunMs = performance.now();
  const [code] = (await once(child, 'exit')) as [number | null];
  const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
  say(`${main} ended with ${String(code)} after ${seconds} s: ${reasonIn(said)}`);
  return code;
}

const SHOWN = 300;

const reasonIn = (output: string): string =>
  (/"msg":"([^"]+)/.exec(output)?.[1] ?? /\b\w*[Ee]rror: .*/.exec(output)?.[0] ?? output).slice(0, SHOWN);
