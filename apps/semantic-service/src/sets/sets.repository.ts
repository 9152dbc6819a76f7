import { type ResourceKind } from '@loci/contracts';
import {
  type PreparedStatement,
  ROWS_OF_ALL,
  type RowScope,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Scope } from '../projects/project.js';
import { SCHEMA } from '../database.js';
import { rowsIn } from '../projects/row-scope.js';
import { visibleRows } from '../projects/visible-rows.js';
import { type MemorySet, type SetConfiguration, type SetType, setUidsFor } from './set.js';
import { keysHash, type SetKind, tagKeys } from './set-identity.js';

export interface SetRow {
  readonly uid: string;
  readonly id: string;
  readonly org_id: string;
  readonly project_uid: string | null;
  readonly kind: SetKind;
  readonly tag_values: Readonly<Record<string, string>>;
}

interface TypeRow {
  readonly uid: string;
  readonly org_id: string;
  readonly project_uid: string | null;
  readonly tags: string[];
  readonly name: string | null;
  readonly description: string | null;
}

export const SET_COLUMNS = 'sets.uid, sets.id, sets.org_id, sets.project_uid, sets.kind, sets.tag_values';

const TYPE_COLUMNS = 'uid, org_id, project_uid, tags, name, description';

const setTypes = (scope: Scope): PreparedStatement => ({
  name: `set_types_${scope.organization}`,
  sql: `SELECT ${TYPE_COLUMNS} FROM ${SCHEMA}.set_types WHERE ${visibleRows(scope, 'set_types')} ORDER BY created_at, uid`,
});

const KNOWN: PreparedStatement = {
  name: 'known_sets',
  sql: `SELECT uid FROM ${SCHEMA}.sets WHERE uid = ANY($1::uuid[])`,
};

/** Where sets and their types are kept. What a scope does not show is not there. */
@Injectable()
export class SetsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Notes the sets that are not known yet. */
  async register(sets: readonly MemorySet[], tx?: Transaction): Promise<void> {
    const rows = [...sets].sort((a, b) => (a.uid < b.uid ? -1 : 1)).map(toInsert);
    await this.query(
      `INSERT INTO ${SCHEMA}.sets (uid, org_id, project_uid, id, kind, tags, tag_values, is_made_up)
       SELECT uid, org_id, project_uid, id, kind, tags, tag_values, is_made_up
       FROM jsonb_to_recordset($1::jsonb) AS given(uid uuid, org_id text, project_uid uuid, id text, kind text,
         tags text[], tag_values jsonb, is_made_up boolean)
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
      tx,
    );
  }

  /** Those of the uids that are registered. */
  async known(uids: readonly string[], tx: Transaction): Promise<ReadonlySet<string>> {
    const rows = await this.unitOfWork.prepared<{ uid: string }>(KNOWN, [uids], { tx, scope: ROWS_OF_ALL });
    return new Set(rows.map(({ uid }) => uid));
  }

  /** The registered set of this public id; the project's own before one of its organization. */
  async find(scope: Scope, id: string, tx?: Transaction): Promise<MemorySet | undefined> {
    const uids = setUidsFor(scope, id);
    const rows = await this.query<SetRow>(
      `SELECT ${SET_COLUMNS} FROM ${SCHEMA}.sets
       WHERE ${visibleRows(scope, 'sets')} AND uid = ANY($3::uuid[]) ORDER BY project_uid NULLS LAST LIMIT 1`,
      [scope.orgId, scope.projectUid, uids],
      tx,
      rowsIn(scope),
    );
    return rows[0] && rowToSet(rows[0]);
  }

  /** The registered set of this uid. */
  async byUid(scope: Scope, uid: string, tx?: Transaction): Promise<MemorySet | undefined> {
    const [row] = await this.query<SetRow>(
      `SELECT ${SET_COLUMNS} FROM ${SCHEMA}.sets WHERE ${visibleRows(scope, 'sets')} AND uid = $3`,
      [scope.orgId, scope.projectUid, uid],
      tx,
      rowsIn(scope),
    );
    return row && rowToSet(row);
  }

  async configure(
    setUid: string,
    { embedderName, llmName }: Partial<SetConfiguration>,
    tx: Transaction,
  ): Promise<void> {
    await this.query(
      `UPDATE ${SCHEMA}.sets SET embedder_name = coalesce($2, embedder_name), llm_name = coalesce($3, llm_name)
       WHERE uid = $1`,
      [setUid, embedderName, llmName],
      tx,
    );
  }

  /** Configures what is not configured yet. @returns whether there was something */
  async preset(
    setUid: string,
    { embedderName, llmName }: SetConfiguration,
    tx: Transaction,
  ): Promise<boolean> {
    const rows = await this.query(
      `WITH preset AS (
         UPDATE ${SCHEMA}.sets
         SET embedder_name = coalesce(embedder_name, $2), llm_name = coalesce(llm_name, $3)
         WHERE uid = $1 AND (embedder_name IS NULL AND $2::text IS NOT NULL OR llm_name IS NULL AND $3::text IS NOT NULL)
         RETURNING uid)
       SELECT uid FROM preset`,
      [setUid, embedderName, llmName],
      tx,
    );
    return rows.length === 1;
  }

  /** The ids of sets, of any tenant, that were configured to use a resource. */
  async using(kind: ResourceKind, name: string, limit: number): Promise<string[]> {
    if (kind === 'reranker') return [];
    const column = kind === 'embedder' ? 'embedder_name' : 'llm_name';
    const rows = await this.query<{ id: string }>(
      `SELECT id FROM ${SCHEMA}.sets WHERE ${column} = $1 ORDER BY id LIMIT $2`,
      [name, limit],
      undefined,
    );
    return rows.map(({ id }) => id);
  }

  /** The types that the scope shows, oldest first. */
  async types(scope: Scope, tx?: Transaction): Promise<SetType[]> {
    const owner = [scope.orgId, scope.projectUid];
    const rows = await this.unitOfWork.prepared<TypeRow>(setTypes(scope), owner, {
      tx,
      scope: rowsIn(scope),
    });
    return rows.map(toType);
  }

  async findType(scope: Scope, uid: string, tx?: Transaction): Promise<SetType | undefined> {
    const [row] = await this.query<TypeRow>(
      `SELECT ${TYPE_COLUMNS} FROM ${SCHEMA}.set_types WHERE ${visibleRows(scope, 'set_types')} AND uid = $3`,
      [scope.orgId, scope.projectUid, uid],
      tx,
      rowsIn(scope),
    );
    return row && toType(row);
  }

  /** As `findType`; the type stays until the transaction ends. */
  async holdType(scope: Scope, uid: string, tx: Transaction): Promise<SetType | undefined> {
    const [row] = await this.query<TypeRow>(
      `SELECT ${TYPE_COLUMNS} FROM ${SCHEMA}.set_types WHERE ${visibleRows(scope, 'set_types')} AND uid = $3 FOR UPDATE`,
      [scope.orgId, scope.projectUid, uid],
      tx,
      rowsIn(scope),
    );
    return row && toType(row);
  }

  /** Adds the type unless there is one of the same owner and tags. @returns the uid of the one that is there */
  async addType(type: SetType, tx?: Transaction): Promise<string> {
    const identity = [type.orgId, type.projectUid, keysHash(type.tags)];
    await this.query(
      `INSERT INTO ${SCHEMA}.set_types (org_id, project_uid, tags_hash, uid, tags, name, description)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
      [...identity, type.uid, type.tags, type.name, type.description],
      tx,
    );
    const [row] = await this.query<{ uid: string }>(
      `SELECT uid FROM ${SCHEMA}.set_types
       WHERE org_id = $1 AND project_uid IS NOT DISTINCT FROM $2 AND tags_hash = $3`,
      identity,
      tx,
    );
    return row?.uid ?? type.uid;
  }

  /** With its templates. */
  async removeType(uid: string, tx: Transaction): Promise<void> {
    await this.query(`DELETE FROM ${SCHEMA}.set_types WHERE uid = $1`, [uid], tx);
  }

  private async query<Row>(
    sql: string,
    parameters: unknown[],
    tx: Transaction | undefined,
    scope: RowScope = ROWS_OF_ALL,
  ): Promise<Row[]> {
    if (tx) return (await scopedManager(tx, scope)).query<Row[]>(sql, parameters);
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), scope);
  }
}

export const rowToSet = (row: SetRow): MemorySet => ({
  uid: row.uid,
  id: row.id,
  orgId: row.org_id,
  projectUid: row.project_uid ?? undefined,
  kind: row.kind,
  tags: row.tag_values,
});

const toInsert = ({ uid, id, orgId, projectUid, kind, tags, isMadeUp }: MemorySet): object => ({
  uid,
  id,
  org_id: orgId,
  project_uid: projectUid ?? null,
  kind,
  tags: tagKeys(Object.keys(tags)),
  tag_values: tags,
  is_made_up: isMadeUp ?? false,
});

const toType = (row: TypeRow): SetType => ({
  uid: row.uid,
  orgId: row.org_id,
  projectUid: row.project_uid ?? undefined,
  tags: row.tags,
  name: row.name ?? undefined,
  description: row.description ?? undefined,
});
