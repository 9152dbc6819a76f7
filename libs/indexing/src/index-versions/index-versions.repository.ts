import { type PreparedStatement, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Collection } from '../collections/vector-collections.js';
import { type IndexVersion, type IndexVersionModel } from './index-version.js';
import { IndexedTable, tablesOf } from './indexed-table.js';
import { INDEX_VERSION_COLUMNS, type IndexVersionRow, toIndexVersion } from './index-version-rows.js';

export interface KnownCollection extends Collection {
  /** Whether any owner reads or fills it. */
  readonly isInUse: boolean;
  /** Whether no owner is being re-embedded into it or out of it. */
  readonly isSettled: boolean;
}

/** How the vectors of an owner are at one moment. */
export interface OwnerIndex {
  /** All index versions, in no particular order. */
  readonly indexVersions: readonly IndexVersion[];
  /** Whether anything of the owner has no up to date vector in its active index version. */
  readonly hasWaiting: boolean;
}

/** An owner without index versions has one row without an index version. */
type IndexRow = (IndexVersionRow | { readonly [Column in keyof IndexVersionRow]: null }) & {
  readonly has_waiting: boolean;
};

/** Which index versions each owner has. */
@Injectable()
export class IndexVersionsRepository {
  private readonly tables: ReturnType<typeof tablesOf>;
  private readonly indexOfOwner: PreparedStatement;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly table: IndexedTable,
  ) {
    this.tables = tablesOf(table);
    // a search begins with it: one round trip for all that it has to know of the index
    this.indexOfOwner = {
      name: 'index_of_owner',
      sql: `
        SELECT ${INDEX_VERSION_COLUMNS}, has_waiting
        FROM (SELECT EXISTS (
          SELECT FROM ${this.tables.indexed}
          WHERE ${table.ownerColumn} = $1 AND indexed_at IS NULL AND ${table.belongs}) AS has_waiting) AS waiting
        LEFT JOIN ${this.tables.indexVersions} AS index_version ON index_version.owner_uid = $1`,
    };
  }

  async of(ownerUid: string): Promise<OwnerIndex> {
    const scope = this.table.scopeOf(ownerUid);
    const rows = await this.unitOfWork.prepared<IndexRow>(this.indexOfOwner, [ownerUid], { scope });
    return {
      indexVersions: rows.filter((row) => row.uid !== null).map(toIndexVersion),
      hasWaiting: rows.some(({ has_waiting: hasWaiting }) => hasWaiting),
    };
  }

  /** The name of the embedder that an open owner chose, empty for the default; undefined when it is not open. */
  async chosenEmbedder(ownerUid: string): Promise<string | undefined> {
    const [row] = await this.query<{ embedder: string }>(
      `SELECT embedder FROM (${this.table.owners}) AS owner WHERE uid = $1`,
      [ownerUid],
    );
    return row?.embedder;
  }

  /** Notes that there is a collection. @returns whether nobody knew of it before */
  async addCollection({ fingerprint, dimensions }: Collection): Promise<boolean> {
    const rows = await this.query(
      `INSERT INTO ${this.tables.collections} (fingerprint, dimensions) VALUES ($1, $2)
       ON CONFLICT DO NOTHING RETURNING fingerprint`,
      [fingerprint, dimensions],
    );
    return rows.length > 0;
  }

  /** Makes this the active index version of an open owner that has none. */
  async activate(ownerUid: string, model: IndexVersionModel): Promise<void> {
    await this.query(
      `INSERT INTO ${this.tables.indexVersions} (uid, owner_uid, fingerprint, dimensions, embedder, state)
       SELECT gen_random_uuid(), uid, $2, $3, $4, 'active' FROM (${this.table.owners}) AS owner WHERE uid = $1
       ON CONFLICT DO NOTHING`,
      [ownerUid, model.fingerprint, model.dimensions, model.embedder],
    );
  }

  /** Every collection that ever was, since points may still come into one that was left. */
  collections(): Promise<KnownCollection[]> {
    const isAny = (states: string): string =>
      `EXISTS (SELECT FROM ${this.tables.indexVersions} AS index_version
               WHERE index_version.fingerprint = collection.fingerprint AND index_version.state IN (${states}))`;
    return this.query(
      `SELECT fingerprint, dimensions, ${isAny(`'active', 'building'`)} AS "isInUse",
              NOT ${isAny(`'building', 'retiring'`)} AS "isSettled"
       FROM ${this.tables.collections} AS collection ORDER BY fingerprint`,
    );
  }

  /** Index versions that are being built in this collection begin anew. */
  async restart(fingerprint: string): Promise<void> {
    await this.query(
      `UPDATE ${this.tables.indexVersions} SET uid = gen_random_uuid(), carried = 0, lease_until = NULL
       WHERE fingerprint = $1 AND state = 'building'`,
      [fingerprint],
    );
  }

  /** Forgets the index versions of an erased owner. */
  async forget(ownerUid: string): Promise<void> {
    await this.query(`DELETE FROM ${this.tables.indexVersions} WHERE owner_uid = $1`, [ownerUid]);
  }

  /** For statements that join owners, which may be known by another name, or are about all of them. */
  private query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), ROWS_OF_ALL);
  }
}
