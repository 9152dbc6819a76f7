import { type PreparedStatement, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Collection } from '../collections/vector-collections.js';
import { type IndexSpace, type SpaceModel } from './index-space.js';
import { IndexSpacesRepository, type KnownCollection } from './index-spaces.repository.js';
import { IndexedTable, tablesOf } from './indexed-table.js';
import { SPACE_COLUMNS, type SpaceRow, toSpace } from './space-rows.js';

@Injectable()
export class PostgresIndexSpacesRepository extends IndexSpacesRepository {
  private readonly tables: ReturnType<typeof tablesOf>;
  private readonly spacesOfOwner: PreparedStatement;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly table: IndexedTable,
  ) {
    super();
    this.tables = tablesOf(table);
    this.spacesOfOwner = {
      name: 'spaces_of_owner',
      sql: `SELECT ${SPACE_COLUMNS} FROM ${this.tables.spaces} AS space WHERE owner_uid = $1`,
    };
  }

  override async of(ownerUid: string): Promise<IndexSpace[]> {
    const scope = this.table.scopeOf(ownerUid);
    const rows = await this.unitOfWork.prepared<SpaceRow>(this.spacesOfOwner, [ownerUid], { scope });
    return rows.map(toSpace);
  }

  override async chosenEmbedder(ownerUid: string): Promise<string | undefined> {
    const [row] = await this.query<{ embedder: string }>(
      `SELECT embedder FROM (${this.table.owners}) AS owner WHERE uid = $1`,
      [ownerUid],
    );
    return row?.embedder;
  }

  override async addCollection({ fingerprint, dimensions }: Collection): Promise<boolean> {
    const rows = await this.query(
      `INSERT INTO ${this.tables.collections} (fingerprint, dimensions) VALUES ($1, $2)
       ON CONFLICT DO NOTHING RETURNING fingerprint`,
      [fingerprint, dimensions],
    );
    return rows.length > 0;
  }

  override async activate(ownerUid: string, model: SpaceModel): Promise<void> {
    await this.query(
      `INSERT INTO ${this.tables.spaces} (uid, owner_uid, fingerprint, dimensions, embedder, state)
       SELECT gen_random_uuid(), uid, $2, $3, $4, 'active' FROM (${this.table.owners}) AS owner WHERE uid = $1
       ON CONFLICT DO NOTHING`,
      [ownerUid, model.fingerprint, model.dimensions, model.embedder],
    );
  }

  override collections(): Promise<KnownCollection[]> {
    const isAny = (states: string): string =>
      `EXISTS (SELECT FROM ${this.tables.spaces} AS space
               WHERE space.fingerprint = collection.fingerprint AND space.state IN (${states}))`;
    return this.query(
      `SELECT fingerprint, dimensions, ${isAny(`'active', 'building'`)} AS "isInUse",
              NOT ${isAny(`'building', 'retiring'`)} AS "isSettled"
       FROM ${this.tables.collections} AS collection ORDER BY fingerprint`,
    );
  }

  override async restart(fingerprint: string): Promise<void> {
    await this.query(
      `UPDATE ${this.tables.spaces} SET uid = gen_random_uuid(), carried = 0, lease_until = NULL
       WHERE fingerprint = $1 AND state = 'building'`,
      [fingerprint],
    );
  }

  override async forget(ownerUid: string): Promise<void> {
    await this.query(`DELETE FROM ${this.tables.spaces} WHERE owner_uid = $1`, [ownerUid]);
  }

  /** For statements that join owners, which may be known by another name, or are about all of them. */
  private query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), ROWS_OF_ALL);
  }
}
