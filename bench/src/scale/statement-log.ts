import { appendFile, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Servers } from '@loci/runtime';
import { quantile } from '../retrieval/metrics.js';
import { type StatementCost, statementsIn } from './statement-costs.js';

/** How long the server takes to read its settings again. */
const SETTINGS_MS = 1_000;

/** What PostgreSQL says of each statement while something is watched: its own clock, without the way to it. */
export class StatementLog {
  constructor(private readonly servers: Servers) {}

  /** @returns the cost of each kind of statement that was answered meanwhile, the slowest median first */
  async during(watched: () => Promise<void>): Promise<StatementCost[]> {
    const path = join(this.servers.folder.part('logs'), 'postgres.log');
    await this.set('0');
    const { size } = await stat(path);
    await watched();
    await this.set('-1');
    const log = await open(path);
    try {
      const took = statementsIn((await log.readFile('utf8')).slice(size));
      return [...took]
        .map(([statement, tookMs]) => ({
          statement,
          times: tookMs.length,
          p50Ms: quantile(tookMs, 0.5),
          mostMs: Math.max(...tookMs),
        }))
        .sort((a, b) => b.p50Ms - a.p50Ms);
    } finally {
      await log.close();
    }
  }

  /** The last line of the file that PostgreSQL keeps for `ALTER SYSTEM` counts. */
  private async set(minimumMs: string): Promise<void> {
    const file = join(this.servers.folder.part('postgres'), 'data', 'postgresql.auto.conf');
    await appendFile(file, `log_min_duration_statement = ${minimumMs}\n`);
    const { postgres } = this.servers.processes;
    if (!postgres) throw new Error('PostgreSQL is not running.');
    process.kill(postgres.pid, 'SIGHUP');
    await sleep(SETTINGS_MS);
  }
}
