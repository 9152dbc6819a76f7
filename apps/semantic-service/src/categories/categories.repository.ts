import {
  type PreparedStatement,
  ROWS_OF_ALL,
  type RowScope,
  scopedManager,
  type Transaction,
  UnitOfWork,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Owner, type Scope } from '../projects/project.js';
import { type MemorySet } from '../sets/set.js';
import { SCHEMA } from '../database.js';
import { rowsIn } from '../projects/row-scope.js';
import { visibleRows } from '../projects/visible-rows.js';
import { rowToSet, SET_COLUMNS, type SetRow } from '../sets/sets.repository.js';
import { type AvailableCategory, type Category, type TagDescriptions } from './category.js';

interface Row {
  readonly uid: string;
  readonly set_uid: string | null;
  readonly set_type_uid: string | null;
  readonly name: string;
  readonly prompt: string;
  readonly description: string | null;
}

interface OwnerRow {
  readonly org_id: string;
  readonly project_uid: string | null;
}

const COLUMNS = 'uid, set_uid, set_type_uid, name, prompt, description';

/** Holds for a set and the type that it is of. */
export const IS_OF_TYPE = `set_types.org_id = sets.org_id AND set_types.project_uid IS NOT DISTINCT FROM sets.project_uid
  AND set_types.tags = sets.tags`;

const SOURCES: PreparedStatement = {
  name: 'category_sources',
  sql: `
SELECT categories.uid, set_uid, set_type_uid, categories.name, prompt, categories.description,
  (SELECT coalesce(jsonb_object_agg(name, description ORDER BY uid), '{}')
   FROM ${SCHEMA}.category_tags WHERE category_uid = categories.uid) AS tags
FROM ${SCHEMA}.categories
WHERE set_uid = $1 OR set_type_uid IN (
  SELECT set_types.uid FROM ${SCHEMA}.set_types JOIN ${SCHEMA}.sets ON ${IS_OF_TYPE} WHERE sets.uid = $1)
ORDER BY categories.created_at, categories.uid`,
};

const DISABLED: PreparedStatement = {
  name: 'disabled_categories',
  sql: `SELECT name FROM ${SCHEMA}.disabled_categories WHERE set_uid = $1`,
};

const KEEP: PreparedStatement = {
  name: 'category_keep',
  sql: `SELECT 1 FROM ${SCHEMA}.categories WHERE uid = $1 FOR KEY SHARE`,
};

const TEMPLATES = `SELECT ${COLUMNS} FROM ${SCHEMA}.categories WHERE set_type_uid = $1 ORDER BY created_at, uid`;

/** Where categories and their tags are kept. What a scope does not show is not there. */
@Injectable()
export class CategoriesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** @returns false when the place has a category of that name */
  async add(
    { uid, place, name, prompt, description }: Category,
    { orgId, projectUid }: { orgId: string; projectUid: string | undefined },
    tx: Transaction,
  ): Promise<boolean> {
    const setUid = 'setUid' in place ? place.setUid : undefined;
    const typeUid = 'setTypeUid' in place ? place.setTypeUid : undefined;
    const rows = await this.query(
      `WITH added AS (
         INSERT INTO ${SCHEMA}.categories (uid, org_id, project_uid, set_uid, set_type_uid, name, prompt, description)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING uid)
       SELECT uid FROM added`,
      [uid, orgId, projectUid, setUid, typeUid, name, prompt, description],
      tx,
    );
    return rows.length === 1;
  }

  async find(scope: Scope, uid: string, tx?: Transaction): Promise<Category | undefined> {
    const [row] = await this.query<Row>(
      `SELECT ${COLUMNS} FROM ${SCHEMA}.categories WHERE ${visibleRows(scope, 'categories')} AND uid = $3`,
      [scope.orgId, scope.projectUid, uid],
      tx,
      rowsIn(scope),
    );
    return row && toCategory(row);
  }

  /** As `find`, with whose it is; nothing else changes or removes the category until the transaction ends. */
  async hold(
    scope: Scope,
    uid: string,
    tx: Transaction,
  ): Promise<{ category: Category; owner: Owner } | undefined> {
    const [row] = await this.query<Row & OwnerRow>(
      `SELECT ${COLUMNS}, org_id, project_uid FROM ${SCHEMA}.categories
       WHERE ${visibleRows(scope, 'categories')} AND uid = $3 FOR UPDATE`,
      [scope.orgId, scope.projectUid, uid],
      tx,
      rowsIn(scope),
    );
    return row && { category: toCategory(row), owner: toOwner(row) };
  }

  /** Keeps the category from being removed until the transaction ends. @returns whether it is there */
  async keep(uid: string, tx: Transaction): Promise<boolean> {
    const rows = await this.unitOfWork.prepared(KEEP, [uid], { tx, scope: ROWS_OF_ALL });
    return rows.length === 1;
  }

  /** Oldest first. */
  async templates(setTypeUid: string, tx?: Transaction): Promise<Category[]> {
    const rows = await this.query<Row>(TEMPLATES, [setTypeUid], tx);
    return rows.map(toCategory);
  }

  /** As `templates`; nobody else changes or removes them until the transaction ends. */
  async holdTemplates(setTypeUid: string, tx: Transaction): Promise<Category[]> {
    const rows = await this.query<Row>(`${TEMPLATES} FOR UPDATE`, [setTypeUid], tx);
    return rows.map(toCategory);
  }

  /** The set's own, the templates of its type, and the names that it does without. */
  async sources(
    set: MemorySet,
    tx?: Transaction,
  ): Promise<{
    own: AvailableCategory[];
    inherited: AvailableCategory[];
    disabled: Set<string>;
  }> {
    const inAll = { tx, scope: ROWS_OF_ALL };
    const [rows, disabled] = [
      await this.unitOfWork.prepared<Row & { tags: TagDescriptions }>(SOURCES, [set.uid], inAll),
      await this.unitOfWork.prepared<{ name: string }>(DISABLED, [set.uid], inAll),
    ];
    return {
      own: rows.filter((row) => row.set_uid !== null).map((row) => toAvailable(row, 'set')),
      inherited: rows.filter((row) => row.set_uid === null).map((row) => toAvailable(row, 'set_type')),
      disabled: new Set(disabled.map(({ name }) => name)),
    };
  }

  /** The registered sets in which a category is at work. */
  async setsOf({ uid }: Category, tx?: Transaction): Promise<MemorySet[]> {
    const rows = await this.query<SetRow>(
      `SELECT ${SET_COLUMNS} FROM ${SCHEMA}.categories
       JOIN ${SCHEMA}.sets ON sets.uid = categories.set_uid OR EXISTS (
         SELECT FROM ${SCHEMA}.set_types WHERE set_types.uid = categories.set_type_uid AND ${IS_OF_TYPE}
           AND NOT EXISTS (SELECT FROM ${SCHEMA}.categories own
                           WHERE own.set_uid = sets.uid AND own.name = categories.name)
           AND NOT EXISTS (SELECT FROM ${SCHEMA}.disabled_categories disabled
                           WHERE disabled.set_uid = sets.uid AND disabled.name = categories.name))
       WHERE categories.uid = $1 ORDER BY sets.created_at, sets.uid`,
      [uid],
      tx,
    );
    return rows.map(rowToSet);
  }

  /** With its tags. */
  async remove(uid: string, tx: Transaction): Promise<void> {
    await this.query(`DELETE FROM ${SCHEMA}.categories WHERE uid = $1`, [uid], tx);
  }

  /** @returns false when the set does without the category already */
  async disable(setUid: string, name: string, tx: Transaction): Promise<boolean> {
    const rows = await this.query(
      `WITH disabled AS (
         INSERT INTO ${SCHEMA}.disabled_categories (set_uid, name) VALUES ($1, $2) ON CONFLICT DO NOTHING
         RETURNING set_uid)
       SELECT set_uid FROM disabled`,
      [setUid, name],
      tx,
    );
    return rows.length === 1;
  }

  async addTag(
    tag: { uid: string; categoryUid: string; name: string; description: string },
    tx: Transaction,
  ): Promise<void> {
    await this.query(
      `INSERT INTO ${SCHEMA}.category_tags (uid, category_uid, name, description) VALUES ($1, $2, $3, $4)`,
      [tag.uid, tag.categoryUid, tag.name, tag.description],
      tx,
    );
  }

  /** Keeps a tag until the transaction ends. @returns whose it is */
  async holdTag(scope: Scope, uid: string, tx: Transaction): Promise<Owner | undefined> {
    const [row] = await this.query<OwnerRow>(
      `SELECT org_id, project_uid FROM ${SCHEMA}.category_tags
       JOIN ${SCHEMA}.categories ON categories.uid = category_uid
       WHERE ${visibleRows(scope, 'categories')} AND category_tags.uid = $3 FOR UPDATE OF category_tags`,
      [scope.orgId, scope.projectUid, uid],
      tx,
      rowsIn(scope),
    );
    return row && toOwner(row);
  }

  async removeTag(uid: string, tx: Transaction): Promise<void> {
    await this.query(`DELETE FROM ${SCHEMA}.category_tags WHERE uid = $1`, [uid], tx);
  }

  private async query<R>(
    sql: string,
    parameters: unknown[],
    tx: Transaction | undefined,
    scope: RowScope = ROWS_OF_ALL,
  ): Promise<R[]> {
    if (tx) return (await scopedManager(tx, scope)).query<R[]>(sql, parameters);
    return this.unitOfWork.single((manager) => manager.query<R[]>(sql, parameters), scope);
  }
}

const toOwner = ({ org_id, project_uid }: OwnerRow): Owner => ({
  orgId: org_id,
  projectUid: project_uid ?? undefined,
});

const toCategory = (row: Row): Category => ({
  uid: row.uid,
  place: row.set_uid === null ? { setTypeUid: row.set_type_uid ?? '' } : { setUid: row.set_uid },
  name: row.name,
  prompt: row.prompt,
  description: row.description ?? undefined,
});

const toAvailable = (
  { uid, name, prompt, tags }: Row & { tags: TagDescriptions },
  origin: 'set' | 'set_type',
): AvailableCategory => ({ uid, origin, name, prompt, tags });
