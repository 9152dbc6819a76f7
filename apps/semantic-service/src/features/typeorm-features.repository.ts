import { type Filter } from '@loci/contracts';
import { entityManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { matching } from './feature-filter.js';
import {
  FEATURE_COLUMNS,
  type FeatureRow,
  FROM_FEATURES,
  IS_LIVE,
  RECORD_COLUMNS,
  type RecordRow,
  toCitationRow,
  toFeature,
  toRecord,
} from './feature-rows.js';
import { type Citation, type Feature, type FeatureContent, type FeatureRecord } from './feature.js';
import { FeaturesRepository } from './features.repository.js';

const FEATURES = `${SCHEMA}.features`;

/** Parameters 1 and 2: organization and project. */
const IS_VISIBLE = 'features.org_id = $1 AND (features.project_uid IS NULL OR features.project_uid = $2)';

@Injectable()
export class TypeormFeaturesRepository extends FeaturesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override async find(
    { orgId, projectUid }: Scope,
    uid: string,
  ): Promise<{ feature: Feature; citations: string[] } | undefined> {
    const [row] = await this.query<FeatureRow & { citations: string[] }>(
      `SELECT ${FEATURE_COLUMNS}, array(
         SELECT episode_uid::text FROM ${SCHEMA}.citations WHERE feature_uid = features.uid
         ORDER BY created_at, episode_uid) AS citations
       ${FROM_FEATURES} WHERE ${IS_VISIBLE} AND features.uid = $3 AND ${IS_LIVE}`,
      [orgId, projectUid, uid],
    );
    return row && { feature: toFeature(row), citations: row.citations };
  }

  override async findMatching(
    setUid: string,
    uids: readonly string[],
    filter: Filter | undefined,
  ): Promise<Feature[]> {
    const { sql, parameters } = matching(filter, 3);
    const rows = await this.query<FeatureRow>(
      `SELECT ${FEATURE_COLUMNS} ${FROM_FEATURES}
       WHERE features.set_uid = $1 AND features.uid = ANY($2::uuid[]) AND ${IS_LIVE} AND ${sql}`,
      [setUid, uids, ...parameters],
    );
    return rows.map(toFeature);
  }

  override async list(
    setUids: readonly string[],
    filter: Filter | undefined,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ features: Feature[]; total: number }> {
    const { sql, parameters } = matching(filter, 2);
    const from = `${FROM_FEATURES} WHERE features.set_uid = ANY($1::uuid[]) AND ${IS_LIVE} AND ${sql}`;
    const end = parameters.length + 2;
    const [counted] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${from}`, [
      setUids,
      ...parameters,
    ]);
    const rows = await this.query<FeatureRow>(
      `SELECT ${FEATURE_COLUMNS} ${from}
       ORDER BY features.created_at, features.uid LIMIT $${end} OFFSET $${end + 1}`,
      [setUids, ...parameters, limit, offset],
    );
    return { features: rows.map(toFeature), total: counted?.total ?? 0 };
  }

  override async newest(
    setUid: string,
    category: string,
    { tag, limit }: { tag?: string | undefined; limit: number },
  ): Promise<Feature[]> {
    const rows = await this.query<FeatureRow>(
      `SELECT ${FEATURE_COLUMNS} ${FROM_FEATURES}
       WHERE features.set_uid = $1 AND features.category = $2 AND ($3::text IS NULL OR features.tag = $3) AND ${IS_LIVE}
       ORDER BY features.updated_at DESC, features.uid DESC LIMIT $4`,
      [setUid, category, tag, limit],
    );
    return rows.map(toFeature);
  }

  override async countByTag(setUid: string, category: string): Promise<Map<string, number>> {
    const rows = await this.query<{ tag: string; count: number }>(
      `SELECT tag, count(*)::int AS count FROM ${FEATURES}
       WHERE set_uid = $1 AND category = $2 AND ${IS_LIVE} GROUP BY tag`,
      [setUid, category],
    );
    return new Map(rows.map(({ tag, count }) => [tag, count]));
  }

  override async lockSet(setUid: string, tx: Transaction): Promise<void> {
    await entityManager(tx).query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [setUid]);
  }

  override async records(
    setUid: string,
    { category, tag, name }: { category: string; tag?: string; name?: string },
    tx: Transaction,
  ): Promise<FeatureRecord[]> {
    return this.read(
      `set_uid = $1 AND category = $2 AND ($3::text IS NULL OR tag = $3) AND ($4::text IS NULL OR name = $4)`,
      [setUid, category, tag, name],
      tx,
    );
  }

  override recordsOf(
    { orgId, projectUid }: Scope,
    uids: readonly string[],
    tx: Transaction,
  ): Promise<FeatureRecord[]> {
    return this.read(`${IS_VISIBLE} AND uid = ANY($3::uuid[])`, [orgId, projectUid, uids], tx);
  }

  override async twinOf(
    setUid: string,
    { category, tag, name, value }: FeatureContent,
    tx: Transaction,
  ): Promise<FeatureRecord | undefined> {
    const [twin] = await this.read(
      `set_uid = $1 AND md5(category) = md5($2) AND md5(tag) = md5($3) AND md5(name) = md5($4) AND md5(value) = md5($5)`,
      [setUid, category, tag, name, value],
      tx,
    );
    return twin;
  }

  override async save(record: FeatureRecord, tx: Transaction): Promise<void> {
    await entityManager(tx).query(
      `INSERT INTO ${FEATURES} (uid, set_uid, org_id, project_uid, category, tag, name, value, metadata, by_client)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (uid) DO UPDATE SET
         category = excluded.category, tag = excluded.tag, name = excluded.name, value = excluded.value,
         metadata = excluded.metadata, by_client = excluded.by_client, revision = features.revision + 1,
         updated_at = now(), deleted_at = NULL, indexed_at = NULL, ordered_at = NULL`,
      [
        ...[record.uid, record.setUid, record.orgId, record.projectUid],
        ...[record.category, record.tag, record.name, record.value],
        ...[JSON.stringify(record.metadata), record.byClient],
      ],
    );
    await entityManager(tx).query(
      `DELETE FROM ${SCHEMA}.citations WHERE feature_uid = $1 AND NOT episode_uid = ANY($2::uuid[])`,
      [record.uid, record.citations.map(({ episodeUid }) => episodeUid)],
    );
    await this.cite(record.uid, record.citations, tx);
  }

  override async cite(uid: string, citations: readonly Citation[], tx: Transaction): Promise<void> {
    if (citations.length === 0) return;
    await entityManager(tx).query(
      `INSERT INTO ${SCHEMA}.citations (feature_uid, episode_uid, project_uid, producer_id, producer_role,
                                        produced_for_id, created_at, metadata)
       SELECT $1, episode_uid, project_uid, producer_id, producer_role, produced_for_id, created_at, metadata
       FROM jsonb_to_recordset($2::jsonb) AS given(
         episode_uid uuid, project_uid uuid, producer_id text, producer_role text, produced_for_id text,
         created_at timestamptz, metadata jsonb)
       ON CONFLICT DO NOTHING`,
      [uid, JSON.stringify(citations.map(toCitationRow))],
    );
  }

  override async remove(uids: readonly string[], tx: Transaction): Promise<void> {
    await entityManager(tx).query(
      `WITH removed AS (
         UPDATE ${FEATURES} SET deleted_at = now() WHERE uid = ANY($1::uuid[]) AND ${IS_LIVE} RETURNING uid)
       DELETE FROM ${SCHEMA}.citations USING removed WHERE feature_uid = removed.uid`,
      [uids],
    );
  }

  override async deletedAmong(episodeUids: readonly string[], tx: Transaction): Promise<Set<string>> {
    const rows = await entityManager(tx).query<{ uid: string }[]>(
      `SELECT uid FROM ${SCHEMA}.deleted_episodes WHERE uid = ANY($1::uuid[])`,
      [episodeUids],
    );
    return new Set(rows.map(({ uid }) => uid));
  }

  private async read(condition: string, parameters: unknown[], tx: Transaction): Promise<FeatureRecord[]> {
    const rows = await entityManager(tx).query<RecordRow[]>(
      `SELECT ${RECORD_COLUMNS} FROM ${FEATURES} WHERE ${condition} AND ${IS_LIVE} ORDER BY created_at, uid`,
      parameters,
    );
    return rows.map(toRecord);
  }

  private query<Row>(sql: string, parameters: unknown[]): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters));
  }
}
