import { enableRowSecurity } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const AUDIT = `${SCHEMA}.audit`;
const HEAD = `${SCHEMA}.audit_head`;

/** Instants in the hash, and nowhere else: a text that does not depend on settings of the connection. */
const instant = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Runs as the owner of the tables, and takes no name from the path of its caller. */
const AS_OWNER = 'SECURITY DEFINER SET search_path = pg_catalog, pg_temp';

/** The chain is that of all tenants, whatever rows its caller sees. */
const LOCK = `PERFORM set_config('loci.scope', '*', true);
  PERFORM FROM ${HEAD} FOR UPDATE;`;

const TABLES = `
CREATE TABLE ${AUDIT} (
  seq            bigint PRIMARY KEY,
  prev_hash      bytea NOT NULL,
  hash           bytea NOT NULL,
  recorded_at    timestamptz NOT NULL,
  -- decided when the record is made: nobody can have it removed sooner
  expires_at     timestamptz NOT NULL,
  -- of the operation: its beginning and its outcome are two records
  id             uuid NOT NULL,
  at             timestamptz NOT NULL,
  request_id     text NOT NULL,
  client_address text,
  actor_kind     text NOT NULL,
  actor          text NOT NULL,
  actor_org_id   text,
  operation      text NOT NULL,
  org_id         text,
  project_id     text,
  resources      text[] NOT NULL,
  resource_count integer NOT NULL,
  -- absent in the record of a beginning
  status         integer,
  code           text
);
CREATE UNIQUE INDEX audit_once ON ${AUDIT} (id, (status IS NOT NULL));
CREATE INDEX audit_by_organization ON ${AUDIT} (org_id, id);
-- the last record; appending locks this row
CREATE TABLE ${HEAD} (
  one         boolean PRIMARY KEY DEFAULT true CHECK (one),
  seq         bigint NOT NULL,
  hash        bytea NOT NULL,
  recorded_at timestamptz NOT NULL
);
INSERT INTO ${HEAD} VALUES (true, 0, sha256(''), now())`;

/** tools/audit/verify.mjs computes the same from what it reads. */
const HASH = `
CREATE FUNCTION ${SCHEMA}.audit_hash(r ${AUDIT}) RETURNS bytea LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
  SELECT sha256(convert_to(jsonb_build_array(
    r.seq, encode(r.prev_hash, 'hex'), ${instant('r.recorded_at')}, ${instant('r.expires_at')}, r.id, ${instant('r.at')},
    r.request_id, r.client_address, r.actor_kind, r.actor, r.actor_org_id, r.operation, r.org_id, r.project_id,
    r.resources, r.resource_count, r.status, r.code)::text, 'UTF8'))
$$`;

/** Not for services: it runs as its caller, who may not insert. */
const CHAIN = `
CREATE FUNCTION ${SCHEMA}.chain_audit(r ${AUDIT}, keep interval) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  head ${HEAD}%ROWTYPE;
BEGIN
  SELECT * INTO STRICT head FROM ${HEAD};
  r.seq := head.seq + 1;
  r.prev_hash := head.hash;
  r.recorded_at := greatest(clock_timestamp(), head.recorded_at);
  r.expires_at := r.recorded_at + keep;
  r.hash := ${SCHEMA}.audit_hash(r);
  INSERT INTO ${AUDIT} SELECT r.*;
  UPDATE ${HEAD} SET seq = r.seq, hash = r.hash, recorded_at = r.recorded_at;
END $$`;

const APPEND = `
CREATE FUNCTION ${SCHEMA}.append_audit(records jsonb, keep interval) RETURNS void LANGUAGE plpgsql ${AS_OWNER} AS $$
DECLARE
  r ${AUDIT}%ROWTYPE;
BEGIN
  ${LOCK}
  FOR r IN
    SELECT NULL, NULL, NULL, NULL, NULL, g.id, g.at, g."requestId", g."clientAddress", g."actorKind", g.actor,
           g."actorOrgId", g.operation, g."orgId", g."projectId", g.resources,
           coalesce(g."resourceCount", cardinality(g.resources)), g.status, g.code
    FROM ROWS FROM (jsonb_to_recordset(records) AS (
      id uuid, at timestamptz, "requestId" text, "clientAddress" text, "actorKind" text, actor text, "actorOrgId" text,
      operation text, "orgId" text, "projectId" text, resources text[], "resourceCount" int, status int, code text))
      WITH ORDINALITY AS g
    ORDER BY g.ordinality
  LOOP
    IF r.actor_kind = 'system' THEN
      RAISE EXCEPTION 'records of the system are made by the system' USING ERRCODE = 'check_violation';
    END IF;
    CONTINUE WHEN EXISTS (
      SELECT FROM ${AUDIT} a WHERE a.id = r.id AND (a.status IS NOT NULL OR r.status IS NULL));
    PERFORM ${SCHEMA}.chain_audit(r, keep);
  END LOOP;
END $$`;

/** Says in the chain which prefix goes, and with which hash it ended, and removes it. */
const REMOVE = `
CREATE FUNCTION ${SCHEMA}.remove_expired_audit(record_id uuid, keep interval, max_records integer) RETURNS integer
LANGUAGE plpgsql ${AS_OWNER} AS $$
DECLARE
  r ${AUDIT}%ROWTYPE;
  removed integer := 0;
  through bigint;
  last_hash bytea;
BEGIN
  ${LOCK}
  FOR r IN SELECT * FROM ${AUDIT} ORDER BY seq LIMIT max_records LOOP
    EXIT WHEN r.expires_at >= now();
    through := r.seq;
    last_hash := r.hash;
    removed := removed + 1;
  END LOOP;
  IF removed = 0 THEN RETURN 0; END IF;
  r := NULL;
  r.id := record_id;
  r.at := now();
  r.request_id := record_id::text;
  r.actor_kind := 'system';
  r.actor := 'retention';
  r.operation := 'remove expired audit';
  r.resources := ARRAY[through::text, encode(last_hash, 'hex')];
  r.resource_count := removed;
  r.status := 200;
  PERFORM ${SCHEMA}.chain_audit(r, keep);
  DELETE FROM ${AUDIT} WHERE seq <= through;
  RETURN removed;
END $$`;

/** Whoever does not own the tables reads them, and appends by the function. */
const READ_ONLY = `
DO $$ DECLARE entry record; BEGIN
  FOR entry IN
    SELECT DISTINCT c.oid::regclass AS name, g.grantee
    FROM pg_class c, aclexplode(c.relacl) g
    WHERE c.oid IN ('${AUDIT}'::regclass, '${HEAD}'::regclass) AND g.grantee NOT IN (c.relowner, 0)
  LOOP
    EXECUTE format('REVOKE ALL ON %s FROM %I', entry.name, pg_get_userbyid(entry.grantee));
    EXECUTE format('GRANT SELECT ON %s TO %I', entry.name, pg_get_userbyid(entry.grantee));
  END LOOP;
END $$`;

/** What was recorded until now begins the chain, in the order in which it came. */
const TAKE_OVER = `
SELECT ${SCHEMA}.append_audit(jsonb_build_array(jsonb_build_object(
  'id', id, 'at', at, 'requestId', request_id, 'actorKind', actor_kind, 'actor', actor, 'operation', operation,
  'orgId', org_id, 'projectId', project_id, 'resources', resources, 'status', status, 'code', code)), interval '365 days')
FROM (SELECT * FROM ${SCHEMA}.audit_unchained ORDER BY id) AS former`;

/** Records of the audit are appended to a chain of hashes, and are never changed. */
export class AuditChain1763700000080 implements MigrationInterface {
  readonly name = 'AuditChain1763700000080';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${AUDIT} RENAME TO audit_unchained`);
    await runner.query(`DROP INDEX ${SCHEMA}.audit_by_organization`);
    for (const sql of [TABLES, HASH, CHAIN, APPEND, REMOVE]) await runner.query(sql);
    await runner.query(`ALTER TABLE ${SCHEMA}.audit_unchained NO FORCE ROW LEVEL SECURITY`);
    await runner.query(TAKE_OVER);
    await runner.query(`DROP TABLE ${SCHEMA}.audit_unchained`);
    await enableRowSecurity(runner, { schema: SCHEMA, table: 'audit', tenant: 'org_id' });
    await runner.query(READ_ONLY);
  }

  down(): Promise<void> {
    throw new Error('A chain of records is not taken apart.');
  }
}
