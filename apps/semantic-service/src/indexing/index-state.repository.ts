import { type FeaturesReference } from '@loci/contracts';
import { type IndexVersion, type MostWaiting, type Waiting } from '@loci/indexing';
import { ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type FeatureContent } from '../features/feature.js';
import { COUNTED_FEATURES } from './counted-features.sql.js';
import { DROP_TOMBSTONES } from './drop-tombstones.sql.js';
import { toIndexed } from './feature-index-rows.js';
import { type IndexedFeature } from './feature-points.js';
import { LIVE_FEATURES } from './live-features.sql.js';
import { MARK_INDEXED } from './mark-indexed.sql.js';
import { MISSING_FEATURES } from './missing-features.sql.js';
import { SORT_FEATURES } from './sort-features.sql.js';
import { TAKE_OVERDUE_FEATURES } from './take-overdue-features.sql.js';
import { WAITING_FEATURES } from './waiting-features.sql.js';

/** The index works set by set, for all tenants. */
const IN_ALL = { scope: ROWS_OF_ALL };

const without = (uids: readonly string[], rows: readonly { readonly uid: string }[]): string[] => {
  const found = new Set(rows.map(({ uid }) => uid));
  return uids.filter((uid) => !found.has(uid));
};

/** Which features have their vectors. The table of features is the truth; the vector index follows it. */
@Injectable()
export class IndexStateRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The features of a set whose vector is not up to date, last changed first. */
  async waiting(setUid: string, most: MostWaiting): Promise<Waiting<IndexedFeature>> {
    const values = [setUid, most.rows, most.bytes];
    const rows = await this.unitOfWork.execute(WAITING_FEATURES, values, IN_ALL);
    return { items: rows.map(toIndexed), count: rows[0]?.waiting_count ?? 0 };
  }

  /** Those of the uids of which the index must have nothing. */
  async gone(setUid: string, uids: readonly string[]): Promise<string[]> {
    const rows = await this.unitOfWork.execute(LIVE_FEATURES, [setUid, uids], IN_ALL);
    return without(uids, rows);
  }

  /**
   * Sorts uids by what the index must do about them in an index version that is active or being built: embed those in `wanted`,
   * keep those not named in the answer, and have nothing of those in `gone`.
   */
  async sort(
    { uid: versionUid, ownerUid: setUid, state }: IndexVersion,
    uids: readonly string[],
  ): Promise<{ wanted: IndexedFeature[]; gone: string[] }> {
    const buildingUid = state === 'building' ? versionUid : null;
    const rows = await this.unitOfWork.execute(SORT_FEATURES, [setUid, uids, buildingUid], IN_ALL);
    return { wanted: rows.filter((row) => !row.is_indexed).map(toIndexed), gone: without(uids, rows) };
  }

  /** Those of the uids that are to have a vector, whether or not they have one. */
  async present({ ownerUid: setUid }: IndexVersion, uids: readonly string[]): Promise<IndexedFeature[]> {
    const rows = await this.unitOfWork.execute(SORT_FEATURES, [setUid, uids, null], IN_ALL);
    return rows.map(toIndexed);
  }

  /** Features that are not in an index version that is being built. */
  async missing(
    { uid: versionUid, ownerUid: setUid }: IndexVersion,
    limit: number,
  ): Promise<IndexedFeature[]> {
    const rows = await this.unitOfWork.execute(MISSING_FEATURES, [setUid, versionUid, limit], IN_ALL);
    return rows.map(toIndexed);
  }

  /**
   * Notes that these features, as they were read, have their vectors in an index version; nothing for an index version that is not used any
   * more.
   * @returns those that were deleted meanwhile: they must have none
   */
  async markIndexed(
    { uid: versionUid, ownerUid: setUid }: IndexVersion,
    features: readonly IndexedFeature[],
  ): Promise<string[]> {
    const read = features.map(({ uid, revision }) => ({ uid, revision }));
    const rows = await this.unitOfWork.execute(
      MARK_INDEXED,
      [setUid, JSON.stringify(read), versionUid],
      IN_ALL,
    );
    return without(
      features.map(({ uid }) => uid),
      rows,
    );
  }

  /** Features whose words are counted. */
  counted(setUid: string, limit: number): Promise<FeatureContent[]> {
    return this.unitOfWork.execute(COUNTED_FEATURES, [setUid, limit], IN_ALL);
  }

  /** Removes tombstones whose vectors are gone. */
  async dropTombstones(setUid: string, uids: readonly string[]): Promise<void> {
    await this.unitOfWork.execute(DROP_TOMBSTONES, [setUid, uids], IN_ALL);
  }

  /** Takes features and tombstones that have waited for the index for long; their waiting time starts again. */
  async takeOverdue(patienceMs: number, limit: number, tx: Transaction): Promise<FeaturesReference[]> {
    const values = [patienceMs / 1000, limit];
    const rows = await this.unitOfWork.execute(TAKE_OVERDUE_FEATURES, values, { tx, ...IN_ALL });
    return rows.map((row) => ({ setUid: row.set_uid, uids: row.uids }));
  }
}
