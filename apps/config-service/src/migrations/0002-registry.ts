import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** What comes with Loci and needs no provider, so nothing to wait for. */
const BUILT_IN = [
  { kind: 'embedder', name: 'local', provider: 'local', config: {} },
  { kind: 'reranker', name: 'identity', provider: 'identity', config: {} },
  { kind: 'reranker', name: 'bm25', provider: 'bm25', config: {} },
  {
    kind: 'reranker',
    name: 'rrf-hybrid',
    provider: 'rrf-hybrid',
    config: { reranker_ids: ['identity', 'bm25'] },
  },
];

export class Registry1763700000002 implements MigrationInterface {
  readonly name = 'Registry1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await this.createResources(runner);
    await runner.query(`
      CREATE TABLE ${SCHEMA}.registry_revision (
        is_only  boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        revision bigint NOT NULL
      )`);
    await runner.query(`INSERT INTO ${SCHEMA}.registry_revision (revision) VALUES (1)`);
    await runner.query(`
      CREATE TABLE ${SCHEMA}.memory_configuration (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        -- what was changed; the rest is as delivered
        changes jsonb NOT NULL
      )`);
    await runner.query(`INSERT INTO ${SCHEMA}.memory_configuration (changes) VALUES ('{}')`);
    await runner.query(`
      CREATE TABLE ${SCHEMA}.configuration_file_entries (
        path   text PRIMARY KEY,
        -- of the entry as the file had it when we read or wrote it last
        digest text NOT NULL
      )`);
    await this.addBuiltIns(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'configuration_file_entries',
      'memory_configuration',
      'registry_revision',
      'resource_transitions',
      'resources',
    ]) {
      await runner.query(`DROP TABLE ${SCHEMA}.${table}`);
    }
  }

  private async createResources(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ${SCHEMA}.resources (
        kind          text NOT NULL CHECK (kind IN ('language_model', 'embedder', 'reranker')),
        name          text NOT NULL,
        provider      text NOT NULL,
        -- credentials as references or encrypted
        config        jsonb NOT NULL,
        -- of the registry, when provider or config changed last
        revision      bigint NOT NULL,
        status        text NOT NULL CHECK (status IN ('pending', 'ready', 'failed')),
        error         text,
        is_built_in   boolean NOT NULL DEFAULT false,
        -- failed probes in a row
        failures      integer NOT NULL DEFAULT 0,
        -- none while it is ready
        next_probe_at timestamptz,
        -- who probes it now, and until when nobody else does
        probe_token   uuid,
        probe_until   timestamptz,
        PRIMARY KEY (kind, name)
      )`);
    await runner.query(
      `CREATE INDEX resources_to_probe ON ${SCHEMA}.resources (next_probe_at) WHERE status <> 'ready'`,
    );
    await runner.query(`
      CREATE TABLE ${SCHEMA}.resource_transitions (
        id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind       text NOT NULL,
        name       text NOT NULL,
        from_state text,
        to_state   text NOT NULL,
        reason     text NOT NULL,
        at         timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query(
      `CREATE INDEX resource_transitions_of ON ${SCHEMA}.resource_transitions (kind, name, id DESC)`,
    );
  }

  private async addBuiltIns(runner: QueryRunner): Promise<void> {
    for (const { kind, name, provider, config } of BUILT_IN) {
      await runner.query(
        `INSERT INTO ${SCHEMA}.resources (kind, name, provider, config, revision, status, is_built_in)
         VALUES ($1, $2, $3, $4, 1, 'ready', true)`,
        [kind, name, provider, JSON.stringify(config)],
      );
      await runner.query(
        `INSERT INTO ${SCHEMA}.resource_transitions (kind, name, to_state, reason)
         VALUES ($1, $2, 'ready', 'Built in.')`,
        [kind, name],
      );
    }
  }
}
