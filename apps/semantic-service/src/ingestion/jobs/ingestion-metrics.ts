import { type RowOf, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { INGESTION_COUNTS } from './ingestion-counts.sql.js';
import { JOB_STATES } from './job-states.sql.js';

type Counts = RowOf<typeof INGESTION_COUNTS.row>;

const STATES = ['idle', 'due', 'running', 'retrying', 'blocked'];

const UNKNOWN: Counts = { waiting: Number.NaN, oldest_seconds: Number.NaN, letters: Number.NaN };

/** What waits to be ingested, asked of the database at each scrape. */
@Injectable()
export class IngestionMetrics {
  constructor(
    metrics: Metrics,
    private readonly unitOfWork: UnitOfWork,
  ) {
    const seconds = metrics.gauge(
      'loci_ingestion_waiting_seconds',
      'Age of the oldest message that is not ingested.',
    );
    const letters = metrics.gauge('loci_ingestion_dead_letters', 'Batches that a category gave up.');
    metrics.gauge(
      'loci_ingestion_waiting',
      'Messages that are not ingested, counted in each of their sets.',
      [],
      async (waiting) => {
        // while the database is down the other metrics are wanted all the more
        const counts = await this.counts().catch(() => UNKNOWN);
        waiting.set(counts.waiting);
        seconds.set(counts.oldest_seconds);
        letters.set(counts.letters);
      },
    );
    metrics.gauge('loci_ingestion_jobs', 'Sets by the state of their job.', ['state'], async (jobs) => {
      const states = await this.states().catch(() => undefined);
      for (const state of STATES) jobs.set({ state }, states ? (states.get(state) ?? 0) : Number.NaN);
    });
  }

  private async counts(): Promise<Counts> {
    const [row] = await this.unitOfWork.execute(INGESTION_COUNTS, [], { scope: ROWS_OF_ALL });
    return row ?? UNKNOWN;
  }

  private async states(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.unitOfWork.execute(JOB_STATES, [], { scope: ROWS_OF_ALL });
    return new Map(rows.map(({ state, jobs }) => [state, jobs]));
  }
}
