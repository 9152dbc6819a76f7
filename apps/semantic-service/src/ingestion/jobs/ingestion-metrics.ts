import { type RowOf, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { INGESTION_COUNTS } from './ingestion-counts.sql.js';

type Counts = RowOf<typeof INGESTION_COUNTS.row>;

const STATES = ['idle', 'due', 'running', 'retrying', 'blocked'] as const;

const UNKNOWN: Counts = {
  waiting: Number.NaN,
  idle: Number.NaN,
  due: Number.NaN,
  running: Number.NaN,
  retrying: Number.NaN,
  blocked: Number.NaN,
  oldest_seconds: Number.NaN,
  letters: Number.NaN,
};

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
    const jobs = metrics.gauge('loci_ingestion_jobs', 'Sets by the state of their job.', ['state']);
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
        for (const state of STATES) jobs.set({ state }, counts[state]);
      },
    );
  }

  private async counts(): Promise<Counts> {
    const [row] = await this.unitOfWork.execute(INGESTION_COUNTS, [], { scope: ROWS_OF_ALL });
    return row ?? UNKNOWN;
  }
}
