import { type PreparedStatement, ROWS_OF_ALL, rowsOf, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { type Collection } from '../vectors/vector-collections.js';
import { type IndexSpace, type SpaceModel } from './index-space.js';
import { IndexSpacesRepository, type KnownCollection } from './index-spaces.repository.js';
import { SPACE_COLUMNS, SPACES, type SpaceRow, toSpace } from './space-rows.js';

const SPACES_OF_PROJECT: PreparedStatement = {
  name: 'spaces_of_project',
  sql: `SELECT ${SPACE_COLUMNS} FROM ${SPACES} AS space WHERE project_uid = $1`,
};

@Injectable()
export class PostgresIndexSpacesRepository extends IndexSpacesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async of(projectUid: string): Promise<IndexSpace[]> {
    const scope = rowsOf(projectUid);
    return (await this.unitOfWork.prepared<SpaceRow>(SPACES_OF_PROJECT, [projectUid], { scope })).map(
      toSpace,
    );
  }

  override async chosenEmbedder(projectUid: string): Promise<string | undefined> {
    const [row] = await this.query<{ embedder: string }>(
      `SELECT embedder FROM ${SCHEMA}.projects WHERE uid = $1 AND state = 'open'`,
      [projectUid],
    );
    return row?.embedder;
  }

  override async addCollection({ fingerprint, dimensions }: Collection): Promise<boolean> {
    const rows = await this.query(
      `INSERT INTO ${SCHEMA}.index_collections (fingerprint, dimensions) VALUES ($1, $2)
       ON CONFLICT DO NOTHING RETURNING fingerprint`,
      [fingerprint, dimensions],
    );
    return rows.length > 0;
  }

  override async activate(projectUid: string, model: SpaceModel): Promise<void> {
    await this.query(
      `INSERT INTO ${SPACES} (uid, project_uid, fingerprint, dimensions, embedder, state)
       SELECT gen_random_uuid(), uid, $2, $3, $4, 'active' FROM ${SCHEMA}.projects WHERE uid = $1 AND state = 'open'
       ON CONFLICT DO NOTHING`,
      [projectUid, model.fingerprint, model.dimensions, model.embedder],
    );
  }

  override collections(): Promise<KnownCollection[]> {
    const isAny = (states: string): string =>
      `EXISTS (SELECT FROM ${SPACES} AS space
               WHERE space.fingerprint = collection.fingerprint AND space.state IN (${states}))`;
    return this.query(
      `SELECT fingerprint, dimensions, ${isAny(`'active', 'building'`)} AS "isInUse",
              NOT ${isAny(`'building', 'retiring'`)} AS "isSettled"
       FROM ${SCHEMA}.index_collections AS collection ORDER BY fingerprint`,
    );
  }

  override async restart(fingerprint: string): Promise<void> {
    await this.query(
      `UPDATE ${SPACES} SET uid = gen_random_uuid(), carried = 0, lease_until = NULL
       WHERE fingerprint = $1 AND state = 'building'`,
      [fingerprint],
    );
  }

  override async forget(projectUid: string): Promise<void> {
    await this.query(`DELETE FROM ${SPACES} WHERE project_uid = $1`, [projectUid]);
  }

  /** For statements that join projects, which are known by another name, or are about all of them. */
  private query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), ROWS_OF_ALL);
  }
}
