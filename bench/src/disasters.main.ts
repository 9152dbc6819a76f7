import 'reflect-metadata';
import { coldKeysDrill } from './disasters/cold-keys-drill.js';
import { type Drill } from './disasters/drill.js';
import { migrationDrill } from './disasters/migration-drill.js';
import { peerDrill } from './disasters/peer-drill.js';
import { poolerDrill } from './disasters/pooler-drill.js';
import { restoreDrill } from './disasters/restore-drill.js';
import { snapshotDrill } from './disasters/snapshot-drill.js';
import { versionsDrill } from './disasters/versions-drill.js';

/**
 * `npm run drill:<name>`: one disaster on real servers and every process of Loci, with its figures. Exit code: 0 = all promises
 * were kept, 1 = one was broken, 2 = the drill could not be done.
 */
const DRILLS: Readonly<Record<string, Drill>> = {
  'cold-keys': coldKeysDrill,
  migration: migrationDrill,
  peer: peerDrill,
  pooler: poolerDrill,
  restore: restoreDrill,
  snapshot: snapshotDrill,
  versions: versionsDrill,
};

const NOT_DONE = 2;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(name: string): Promise<number> {
  const drill = DRILLS[name];
  if (!drill) {
    say(`Usage: npm run drill:<${Object.keys(DRILLS).join('|')}>`);
    return NOT_DONE;
  }
  const problems = await drill(say);
  for (const problem of problems) say(`BROKEN: ${problem}`);
  if (problems.length === 0) say('Every promise was kept.');
  return problems.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv[2] ?? '').catch((error: unknown) => {
  process.stderr.write(
    `The drill could not be done: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return NOT_DONE;
});
