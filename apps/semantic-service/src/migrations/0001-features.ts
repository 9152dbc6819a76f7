import { createDeadLetterTable, createIdempotencyTable, createOutboxTable } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** What belongs to an organization as a whole has no `project_uid`. */
const OWNER = `
        org_id      text NOT NULL,
        project_uid uuid REFERENCES ${SCHEMA}.projects (uid)`;

const PROJECTS = [
  `CREATE TABLE ${SCHEMA}.projects (
        uid        uuid PRIMARY KEY,
        org_id     text NOT NULL,
        project_id text NOT NULL,
        state      text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'erasing', 'erased')),
        changed_at timestamptz NOT NULL DEFAULT now()
      )`,
  `CREATE UNIQUE INDEX projects_open_name ON ${SCHEMA}.projects (org_id, project_id) WHERE state = 'open'`,
];

const SETS = [
  `CREATE TABLE ${SCHEMA}.set_types (
        uid         uuid PRIMARY KEY,${OWNER},
        -- sorted, each once
        tags        text[] NOT NULL,
        tags_hash   text NOT NULL,
        name        text,
        description text,
        created_at  timestamptz NOT NULL DEFAULT now()
      )`,
  `CREATE UNIQUE INDEX set_types_identity
   ON ${SCHEMA}.set_types (org_id, project_uid, tags_hash) NULLS NOT DISTINCT`,
  `CREATE TABLE ${SCHEMA}.sets (
        -- derived from owner and id: whoever knows these knows it
        uid           uuid PRIMARY KEY,${OWNER},
        id            text NOT NULL,
        kind          text NOT NULL CHECK (kind IN ('project_set', 'set_type', 'user_set', 'other_set')),
        -- keys of the identity, sorted, and their values
        tags          text[] NOT NULL,
        tag_values    jsonb NOT NULL,
        embedder_name text,
        llm_name      text,
        created_at    timestamptz NOT NULL DEFAULT now()
      )`,
  `CREATE INDEX sets_of_project ON ${SCHEMA}.sets (project_uid) WHERE project_uid IS NOT NULL`,
  `CREATE INDEX sets_of_org ON ${SCHEMA}.sets (org_id)`,
];

const CATEGORIES = [
  `CREATE TABLE ${SCHEMA}.categories (
        uid          uuid PRIMARY KEY,${OWNER},
        set_uid      uuid REFERENCES ${SCHEMA}.sets (uid) ON DELETE CASCADE,
        -- a template: every set of the type inherits it
        set_type_uid uuid REFERENCES ${SCHEMA}.set_types (uid) ON DELETE CASCADE,
        name         text NOT NULL,
        prompt       text NOT NULL,
        description  text,
        created_at   timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT categories_place CHECK (num_nonnulls(set_uid, set_type_uid) = 1)
      )`,
  `CREATE UNIQUE INDEX categories_name ON ${SCHEMA}.categories (set_uid, set_type_uid, md5(name)) NULLS NOT DISTINCT`,
  `CREATE INDEX categories_of_type ON ${SCHEMA}.categories (set_type_uid) WHERE set_type_uid IS NOT NULL`,
  `CREATE TABLE ${SCHEMA}.category_tags (
        uid          uuid PRIMARY KEY,
        category_uid uuid NOT NULL REFERENCES ${SCHEMA}.categories (uid) ON DELETE CASCADE,
        name         text NOT NULL,
        description  text NOT NULL
      )`,
  `CREATE INDEX category_tags_of ON ${SCHEMA}.category_tags (category_uid)`,
  `CREATE TABLE ${SCHEMA}.disabled_categories (
        set_uid uuid NOT NULL REFERENCES ${SCHEMA}.sets (uid) ON DELETE CASCADE,
        name    text NOT NULL
      )`,
  `CREATE UNIQUE INDEX disabled_categories_once ON ${SCHEMA}.disabled_categories (set_uid, md5(name))`,
];

const FEATURES = [
  `CREATE TABLE ${SCHEMA}.features (
        uid            uuid PRIMARY KEY,
        set_uid        uuid NOT NULL REFERENCES ${SCHEMA}.sets (uid),${OWNER},
        category       text NOT NULL,
        tag            text NOT NULL,
        name           text NOT NULL,
        value          text NOT NULL,
        metadata       jsonb NOT NULL,
        -- whether a client wrote it, or a part of it: then it stands without citations too
        by_client      boolean NOT NULL,
        -- grows with every change of what is embedded
        revision       integer NOT NULL DEFAULT 1,
        created_at     timestamptz NOT NULL DEFAULT now(),
        updated_at     timestamptz NOT NULL DEFAULT now(),
        -- a tombstone: invisible to every reader, removed once its vector is
        deleted_at     timestamptz,
        indexed_at     timestamptz,
        -- when indexing was last ordered by the sweeper
        ordered_at     timestamptz
      )`,
  `CREATE INDEX features_of_set ON ${SCHEMA}.features (set_uid, created_at, uid)`,
  `CREATE INDEX features_of_project ON ${SCHEMA}.features (project_uid) WHERE project_uid IS NOT NULL`,
  // no twins
  `CREATE UNIQUE INDEX features_once ON ${SCHEMA}.features
   (set_uid, md5(category), md5(tag), md5(name), md5(value)) WHERE deleted_at IS NULL`,
  `CREATE INDEX features_waiting ON ${SCHEMA}.features (set_uid, updated_at)
   WHERE indexed_at IS NULL AND deleted_at IS NULL`,
  `CREATE INDEX features_overdue ON ${SCHEMA}.features (updated_at) WHERE indexed_at IS NULL AND deleted_at IS NULL`,
  `CREATE INDEX features_tombstones ON ${SCHEMA}.features (deleted_at) WHERE deleted_at IS NOT NULL`,
  // with each citation what filters ask of the episode
  `CREATE TABLE ${SCHEMA}.citations (
        feature_uid     uuid NOT NULL REFERENCES ${SCHEMA}.features (uid) ON DELETE CASCADE,
        episode_uid     uuid NOT NULL,
        project_uid     uuid NOT NULL REFERENCES ${SCHEMA}.projects (uid),
        producer_id     text NOT NULL,
        producer_role   text NOT NULL,
        produced_for_id text NOT NULL,
        created_at      timestamptz NOT NULL,
        metadata        jsonb NOT NULL,
        PRIMARY KEY (feature_uid, episode_uid)
      )`,
  `CREATE INDEX citations_of_episode ON ${SCHEMA}.citations (project_uid, episode_uid)`,
  `CREATE TABLE ${SCHEMA}.feature_history (
        uid         uuid PRIMARY KEY,
        feature_uid uuid NOT NULL,
        set_uid     uuid NOT NULL REFERENCES ${SCHEMA}.sets (uid) ON DELETE CASCADE,${OWNER},
        action      text NOT NULL CHECK (action IN ('add', 'update', 'remove')),
        origin      text NOT NULL CHECK (origin IN ('client', 'ingestion', 'consolidation', 'undo', 'import')),
        job_id      text,
        model       text,
        -- every episode that the change, or a state in it, was drawn from: what is deleted with them
        episodes    uuid[] NOT NULL,
        before      jsonb,
        after       jsonb,
        at          timestamptz NOT NULL DEFAULT now()
      )`,
  `CREATE INDEX feature_history_of ON ${SCHEMA}.feature_history (feature_uid, uid)`,
  `CREATE INDEX feature_history_of_set ON ${SCHEMA}.feature_history (set_uid)`,
  `CREATE INDEX feature_history_episodes ON ${SCHEMA}.feature_history USING gin (episodes)`,
  // so that work that read an episode before it was deleted cannot cite it afterwards
  `CREATE TABLE ${SCHEMA}.deleted_episodes (
        uid         uuid PRIMARY KEY,
        project_uid uuid NOT NULL,
        deleted_at  timestamptz NOT NULL DEFAULT now()
      )`,
  `CREATE INDEX deleted_episodes_of_project ON ${SCHEMA}.deleted_episodes (project_uid)`,
];

export class Features1763700000001 implements MigrationInterface {
  readonly name = 'Features1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...PROJECTS, ...SETS, ...CATEGORIES, ...FEATURES]) await runner.query(statement);
    await createOutboxTable(runner, SCHEMA);
    await createIdempotencyTable(runner, SCHEMA);
    await createDeadLetterTable(runner, SCHEMA);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP SCHEMA ${SCHEMA} CASCADE`);
  }
}
