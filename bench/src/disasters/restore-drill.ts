import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, type Fleet } from '@loci/testing';
import { countIn, type Drill, EPISODES, pointsIn, type Say, timed, UNINDEXED, withFleet } from './drill.js';
import { fill, find } from './traffic.js';

const run = promisify(execFile);

const MESSAGES = 5_000;
/** Added after the backup: what is lost. */
const LATER = 100;
const QUERY = 'Note 42: the parcel';

const tool = (name: 'backup' | 'restore', databaseUrl: string, folder: string): Promise<unknown> =>
  run(process.execPath, [`tools/backup/${name}.mjs`, folder], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });

/** PostgreSQL, NATS and Qdrant are lost together; what `npm run backup` saved is restored into new ones. */
export const restoreDrill: Drill = async (say) => {
  const folder = await mkdtemp(join(tmpdir(), 'loci-drill-'));
  const backup = join(folder, 'backup');
  try {
    const before = await withFleet({}, (fleet) => save(fleet, backup, say));
    const begunMs = performance.now();
    const beforeServices = async (databaseUrl: string): Promise<void> =>
      say(`restore: ${await timed(() => tool('restore', databaseUrl, backup))}`);
    return await withFleet({ beforeServices }, (fleet) => check(fleet, begunMs, before, say));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** @returns what a search finds first */
async function save(fleet: Fleet, backup: string, say: Say): Promise<string | undefined> {
  await fill(fleet.url, MESSAGES);
  await eventually(async () => (await countIn(fleet, UNINDEXED)) === 0, {
    what: 'all have their vectors',
    timeoutMs: 600_000,
  });
  const took = await timed(() => tool('backup', fleet.servers.databaseUrl, backup));
  say(`backup of ${MESSAGES} messages: ${took}`);
  const { texts } = await find(fleet.url, QUERY);
  await fill(fleet.url, LATER, MESSAGES);
  return texts[0];
}

async function check(fleet: Fleet, begunMs: number, before: string | undefined, say: Say): Promise<string[]> {
  const words = await find(fleet.url, QUERY);
  const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
  say(`new servers, migrations, restore and processes, until a search is answered: ${seconds} s (RTO)`);
  say(`it says that it is without ${words.missing ?? 'nothing'}`);
  const vectors = await timed(() =>
    eventually(async () => (await pointsIn(fleet)) === MESSAGES, {
      what: 'all have their vectors again',
      timeoutMs: 600_000,
    }),
  );
  say(`then, until every message has its vector again: ${vectors}`);
  const count = await countIn(fleet, EPISODES);
  say(`messages: ${count} of ${MESSAGES + LATER}; the others were added after the backup (RPO)`);
  const [after] = (await find(fleet.url, QUERY)).texts;
  return [
    ...(count === MESSAGES ? [] : [`${MESSAGES} messages were in the backup, and ${count} are there`]),
    ...(after === before ? [] : [`a search finds "${after ?? ''}" first instead of "${before ?? ''}"`]),
  ];
}
