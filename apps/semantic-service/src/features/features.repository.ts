import { type Filter, type Instant, MAX_ANSWER_BYTES } from '@loci/contracts';
import {
  type BoundedRow,
  ROWS_OF_ALL,
  type RowScope,
  rowsWithin,
  scopedManager,
  type Transaction,
  UnitOfWork,
  withinBytes,
} from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Owner, type Scope } from '../projects/project.js';
import { SCHEMA } from '../database.js';
import { rowsIn } from '../projects/row-scope.js';
import { visibleRows } from '../projects/visible-rows.js';
import { type Feature, type FeatureContent, type FeatureRecord } from './feature.js';
import { readable } from './readable-features.js';
import {
  FEATURE_BYTES,
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
import { inPartition, type Partition, partitionValues } from './partition.js';
import { DELETED_AMONG, GROUPS, LOCK_SET, NEWEST, SAVE, DUPLICATE } from './feature-statements.js';

const FEATURES = `${SCHEMA}.features`;

/** A search reads more candidates than it answers with. */
const MAX_READ_BYTES = 4 * MAX_ANSWER_BYTES;

interface GroupRow {
  readonly tag: string;
  readonly is_trusted: boolean;
  readonly source_project_uid: string | null;
  readonly count: number;
}

/** The features of one tag in one partition. */
export interface FeatureGroup {
  readonly tag: string;
  readonly partition: Partition;
  readonly count: number;
}

/**
 * Where features are kept: the truth. What a scope does not show is not there; tombstones never are. What is searched or
 * listed shows a caller of one project, of a set of the organization, what its own project put there (`readable`).
 */
@Injectable()
export class FeaturesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The feature, with the uids of the episodes that it cites, oldest first. */
  async find(scope: Scope, uid: string): Promise<{ feature: Feature; citations: string[] } | undefined> {
    const [row] = await this.query<FeatureRow & { citations: string[] }>(
      `SELECT ${FEATURE_COLUMNS}, array(
         SELECT episode_uid::text FROM ${SCHEMA}.citations WHERE feature_uid = features.uid
         ORDER BY created_at, episode_uid) AS citations
       ${FROM_FEATURES} WHERE ${visibleRows(scope, 'features')} AND features.uid = $3 AND ${IS_LIVE}`,
      [scope.orgId, scope.projectUid, uid],
      rowsIn(scope),
    );
    return row && { feature: toFeature(row), citations: row.citations };
  }

  /**
   * Those of the features that exist and match, unsorted.
   * @throws AppError `body_too_large` when they are too large together, before they are read
   */
  async findMatching(
    scope: Scope,
    setUid: string,
    uids: readonly string[],
    filter: Filter | undefined,
    partition?: Partition,
  ): Promise<Feature[]> {
    const { sql, parameters } = readable(scope, filter, 6);
    const page = `SELECT ${FEATURE_COLUMNS} ${FROM_FEATURES}
                  WHERE features.set_uid = $1 AND features.uid = ANY($2::uuid[]) AND ${IS_LIVE}
                    AND ${inPartition(4)} AND ${sql}`;
    const rows = await this.unitOfWork.prepared<BoundedRow<FeatureRow>>(
      {
        name: filter ? undefined : `features_by_uid_${scope.organization}`,
        sql: withinBytes({ page, columns: 'page.*', bytes: FEATURE_BYTES, maxBytes: '$3' }),
      },
      [setUid, uids, MAX_READ_BYTES, ...partitionValues(partition), ...parameters],
      { scope: rowsIn(scope) },
    );
    const asked = { maxBytes: MAX_READ_BYTES, field: 'top_k', count: uids.length };
    return rowsWithin(rows, asked).map(toFeature);
  }

  /** The features of a set that match, unsorted. */
  async uidsMatching(
    scope: Scope,
    setUid: string,
    filter: Filter | undefined,
    limit: number,
    partition?: Partition,
  ): Promise<string[]> {
    const { sql, parameters } = readable(scope, filter, 5);
    const rows = await this.query<{ uid: string }>(
      `SELECT features.uid ${FROM_FEATURES}
       WHERE features.set_uid = $1 AND ${IS_LIVE} AND ${inPartition(3)} AND ${sql} LIMIT $2`,
      [setUid, limit, ...partitionValues(partition), ...parameters],
      rowsIn(scope),
    );
    return rows.map(({ uid }) => uid);
  }

  /**
   * Of these sets, by the time of their making, then uid; `total` counts the matches of all pages.
   * @throws AppError `body_too_large` when the page would be too large for an answer, before it is read
   */
  async list(
    scope: Scope,
    setUids: readonly string[],
    filter: Filter | undefined,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ features: Feature[]; total: number }> {
    const { sql, parameters } = readable(scope, filter, 2);
    const from = `${FROM_FEATURES} WHERE features.set_uid = ANY($1::uuid[]) AND ${IS_LIVE} AND ${sql}`;
    const end = parameters.length + 2;
    const page = `SELECT ${FEATURE_COLUMNS}, features.created_at ${from}
                  ORDER BY features.created_at, features.uid LIMIT $${end} OFFSET $${end + 1}`;
    const order = 'page.created_at, page.uid';
    return this.unitOfWork.run(
      async (tx) => {
        const manager = await scopedManager(tx, rowsIn(scope));
        const [counted] = await manager.query<{ total: number }[]>(`SELECT count(*)::int AS total ${from}`, [
          setUids,
          ...parameters,
        ]);
        const rows = await manager.query<BoundedRow<FeatureRow>[]>(
          withinBytes({ page, columns: 'page.*', bytes: FEATURE_BYTES, order, maxBytes: `$${end + 2}` }),
          [setUids, ...parameters, limit, offset, MAX_ANSWER_BYTES],
        );
        const asked = { maxBytes: MAX_ANSWER_BYTES, field: 'page_size', count: limit };
        return { features: rowsWithin(rows, asked).map(toFeature), total: counted?.total ?? 0 };
      },
      // so that the total is that of the page's moment
      { isolation: 'REPEATABLE READ' },
    );
  }

  /** Whose a set is. */
  async ownerOf(setUid: string): Promise<Owner> {
    const [row] = await this.query<{ org_id: string; project_uid: string | null }>(
      `SELECT org_id, project_uid FROM ${SCHEMA}.sets WHERE uid = $1`,
      [setUid],
      ROWS_OF_ALL,
    );
    if (!row) throw new Error(`Set ${setUid} is not registered.`);
    return { orgId: row.org_id, projectUid: row.project_uid ?? undefined };
  }

  /** Of one category and, where given, partition; last changed first. */
  async newest(
    setUid: string,
    category: string,
    { tag, partition, limit }: { tag?: string | undefined; partition?: Partition | undefined; limit: number },
  ): Promise<Feature[]> {
    const values = [setUid, category, tag, limit, ...partitionValues(partition)];
    const rows = await this.unitOfWork.prepared<FeatureRow>(NEWEST, values, { scope: ROWS_OF_ALL });
    return rows.map(toFeature);
  }

  /** How many features each tag of a category holds in each partition. */
  async groups(setUid: string, category: string): Promise<FeatureGroup[]> {
    const rows = await this.unitOfWork.prepared<GroupRow>(GROUPS, [setUid, category], { scope: ROWS_OF_ALL });
    return rows.map(({ tag, count, is_trusted: isTrusted, source_project_uid: source }) => ({
      ...{ tag, count, partition: { isTrusted, sourceProjectUid: source ?? undefined } },
    }));
  }

  /** Makes the changes of features of one set queue until the transaction ends. */
  async lockSet(setUid: string, tx: Transaction): Promise<void> {
    await this.unitOfWork.prepared(LOCK_SET, [setUid], { tx, scope: ROWS_OF_ALL });
  }

  /** The features of a category of a set, with their citations; of this tag, name and partition where given. */
  async records(
    setUid: string,
    {
      category,
      tag,
      name,
      partition,
    }: { category: string; tag?: string; name?: string; partition?: Partition },
    tx: Transaction,
  ): Promise<FeatureRecord[]> {
    return this.read(
      `set_uid = $1 AND category = $2 AND ($3::text IS NULL OR tag = $3) AND ($4::text IS NULL OR name = $4)
       AND ${inPartition(5)}`,
      [setUid, category, tag, name, ...partitionValues(partition)],
      tx,
    );
  }

  /** The features of these uids that exist, with their citations. */
  recordsOf(scope: Scope, uids: readonly string[], tx: Transaction): Promise<FeatureRecord[]> {
    return this.read(
      `${visibleRows(scope, 'features')} AND uid = ANY($3::uuid[])`,
      [scope.orgId, scope.projectUid, uids],
      tx,
      rowsIn(scope),
    );
  }

  /** The feature of a partition that says the very same. */
  async duplicateOf(
    setUid: string,
    { category, tag, name, value, isTrusted, sourceProjectUid }: FeatureContent & Partition,
    tx: Transaction,
  ): Promise<FeatureRecord | undefined> {
    const content = [setUid, category, tag, name, value, isTrusted, sourceProjectUid];
    const [duplicate] = await this.unitOfWork.prepared<RecordRow>(DUPLICATE, content, {
      tx,
      scope: ROWS_OF_ALL,
    });
    return duplicate && toRecord(duplicate);
  }

  /** Writes the feature as it is to be, whether it was there, was deleted, or is new. Its vector is out of date then. */
  async save(record: FeatureRecord, tx: Transaction): Promise<void> {
    const values = [
      ...[record.uid, record.setUid, record.orgId, record.projectUid],
      ...[record.category, record.tag, record.name, record.value],
      ...[JSON.stringify(record.metadata), record.byClient],
      JSON.stringify(record.citations.map(toCitationRow)),
      ...[record.createdAt, record.isTrusted, record.sourceProjectUid, JSON.stringify(record.origin)],
    ];
    const saved = await this.unitOfWork.prepared(SAVE, values, { tx, scope: ROWS_OF_ALL });
    if (saved.length === 0) throw new Error(`Feature ${record.uid} is in another set than ${record.setUid}.`);
  }

  /** Turns features into tombstones. */
  async remove(uids: readonly string[], tx: Transaction): Promise<void> {
    await (
      await scopedManager(tx, ROWS_OF_ALL)
    ).query(
      `WITH removed AS (
         UPDATE ${FEATURES} SET deleted_at = now() WHERE uid = ANY($1::uuid[]) AND ${IS_LIVE} RETURNING uid)
       DELETE FROM ${SCHEMA}.citations USING removed WHERE feature_uid = removed.uid`,
      [uids],
    );
  }

  /** Those of the episodes that were deleted, with the time until which that is meant: not one that was added later. */
  async deletedAmong(episodeUids: readonly string[], tx: Transaction): Promise<ReadonlyMap<string, Instant>> {
    const rows = await this.unitOfWork.prepared<{ uid: string; added_until: Instant }>(
      DELETED_AMONG,
      [episodeUids],
      { tx, scope: ROWS_OF_ALL },
    );
    return new Map(rows.map(({ uid, added_until }) => [uid, added_until]));
  }

  private async read(
    condition: string,
    parameters: unknown[],
    tx: Transaction,
    scope: RowScope = ROWS_OF_ALL,
  ): Promise<FeatureRecord[]> {
    const rows = await (
      await scopedManager(tx, scope)
    ).query<RecordRow[]>(
      `SELECT ${RECORD_COLUMNS} FROM ${FEATURES} WHERE ${condition} AND ${IS_LIVE} ORDER BY created_at, uid`,
      parameters,
    );
    return rows.map(toRecord);
  }

  private query<Row>(sql: string, parameters: unknown[], rows: RowScope): Promise<Row[]> {
    return this.unitOfWork.single((manager) => manager.query<Row[]>(sql, parameters), rows);
  }
}
