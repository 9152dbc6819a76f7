import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Metrics } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../../database.js';

interface Counts {
  readonly waiting: number;
  readonly oldest_seconds: number;
  readonly letters: number;
}

const COUNTS = `
SELECT (SELECT coalesce(sum(waiting), 0)::float8 FROM ${SCHEMA}.ingestion_jobs) AS waiting,
       (SELECT coalesce(extract(epoch FROM now() - min(received_at)), 0)::float8
        FROM ${SCHEMA}.ingestion_messages WHERE done_at IS NULL) AS oldest_seconds,
       (SELECT count(*)::float8 FROM ${SCHEMA}.ingestion_dead_letters) AS letters`;

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
    const [row] = await this.unitOfWork.single((manager) => manager.query<Counts[]>(COUNTS), ROWS_OF_ALL);
    return row ?? UNKNOWN;
  }

  private async states(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.unitOfWork.single(
      (manager) =>
        manager.query<{ state: string; jobs: number }[]>(
          `SELECT state, count(*)::int AS jobs FROM ${SCHEMA}.ingestion_jobs GROUP BY state`,
        ),
      ROWS_OF_ALL,
    );
    return new Map(rows.map(({ state, jobs }) => [state, jobs]));
  }
}
