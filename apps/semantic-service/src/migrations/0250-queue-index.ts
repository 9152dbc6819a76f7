import { replaceIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';
import { NO_PROJECT } from './0102-fair-queues.js';

const indexBy = (runner: QueryRunner, project: string): Promise<void> =>
  replaceIndex(runner, {
    schema: SCHEMA,
    table: 'ingestion_jobs',
    name: 'ingestion_jobs_queue',
    definition: `(org_id, (${project}), llm_name, run_after, set_uid) WHERE state = 'due'`,
  });

/** What is due in a queue is found by an index under row security, too: PostgreSQL takes COALESCE for a function that may tell of rows. */
export class QueueIndex1763700000250 implements MigrationInterface {
  readonly name = 'QueueIndex1763700000250';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return indexBy(runner, `CASE WHEN project_uid IS NULL THEN '${NO_PROJECT}'::uuid ELSE project_uid END`);
  }

  down(runner: QueryRunner): Promise<void> {
    return indexBy(runner, `coalesce(project_uid, '${NO_PROJECT}')`);
  }
}
