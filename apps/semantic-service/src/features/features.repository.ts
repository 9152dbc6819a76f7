import { BY_CURSOR, type Instant, MAX_ANSWER_BYTES, type RowPosition } from '@loci/contracts';
import { firstRows, ROWS_OF_ALL, rowsWithin, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Owner, type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { toRecords } from './bounded-records.js';
import { countListedFeatures } from './count-listed-features.sql.js';
import { DELETED_AMONG } from './deleted-among.sql.js';
import { factsByUid } from './facts-by-uid.sql.js';
import { FEATURE_GROUPS } from './feature-groups.sql.js';
import { toCitationRow, toFact, toFeature, toName, toRecord, toRow, toSought } from './feature-rows.js';
import {
  type Feature,
  type FeatureFact,
  type FeatureLocation,
  type FeatureRecord,
  setsOf,
} from './feature.js';
import { featuresByUid } from './features-by-uid.sql.js';
import { findFeature } from './find-feature.sql.js';
import { listFeatures } from './list-features.sql.js';
import { listFeaturesFrom } from './list-features-from.sql.js';
import { LOCK_SETS } from './lock-sets.sql.js';
import { matchingFeatureUids } from './matching-feature-uids.sql.js';
import { NEWEST_FEATURES } from './newest-features.sql.js';
import { newestMatching } from './newest-matching.sql.js';
import { newestOfEachCategory } from './newest-of-each-category.sql.js';
import { distinctSubjects, type FeatureGroup, partitionValues } from './partition.js';
import { PIN_FEATURE } from './pin-feature.sql.js';
import {
  type ListPage,
  nameOf,
  readable,
  type WantedFeatures,
  type WantedOfSet,
} from './readable-features.js';
import { recordsByUid } from './records-by-uid.sql.js';
import { RECORDS_OF_CATEGORY } from './records-of-category.sql.js';
import { RECORDS_TO_CHANGE } from './records-to-change.sql.js';
import { REMOVE_FEATURES } from './remove-features.sql.js';
import { SAVE_CITATIONS } from './save-citations.sql.js';
import { SAVE_FEATURES } from './save-features.sql.js';
import { SUPERSEDED_FEATURES } from './superseded-features.sql.js';
import { type WantedOfCategory, type WantedRecords } from './wanted-records.js';

/** Which features are asked for, and how many at most. */
type NewestAsked = readonly [scope: Scope, setUids: readonly string[], wanted: WantedFeatures, limit: number];

/**
 * Where features are kept: the truth. What a scope does not show is not there; tombstones never are. What is searched or
 * listed shows a caller of one project, of a set of the organization, what its own project put there (`readable`).
 */
@Injectable()
export class FeaturesRepository {
  /** The sets that each running transaction has locked. */
  private readonly locked = new WeakMap<Transaction, ReadonlySet<string>>();

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The feature, with the uids of the episodes that it cites, oldest first. */
  async find(scope: Scope, uid: string): Promise<{ feature: Feature; citations: string[] } | undefined> {
    const values = [scope.orgId, scope.projectUid, uid];
    const [row] = await this.unitOfWork.execute(findFeature(scope), values, { scope: rowsIn(scope) });
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
    { partition, ...wanted }: WantedOfSet,
    maxBytes: number,
  ): Promise<Feature[]> {
    const matches = readable(scope, wanted, 6);
    const rows = await this.unitOfWork.execute(
      featuresByUid(matches, nameOf('features_by_uid', scope, wanted)),
      [setUid, uids, maxBytes, ...partitionValues(partition), ...matches.parameters],
      { scope: rowsIn(scope) },
    );
    return rowsWithin(rows, { maxBytes, field: 'top_k', count: uids.length }).map(toFeature);
  }

  /** The features of a set that match, unsorted. */
  async uidsMatching(
    scope: Scope,
    setUid: string,
    { partition, ...wanted }: WantedOfSet,
    limit: number,
  ): Promise<string[]> {
    const matches = readable(scope, wanted, 5);
    const values = [setUid, limit, ...partitionValues(partition), ...matches.parameters];
    const inScope = { scope: rowsIn(scope) };
    const rows = await this.unitOfWork.execute(matchingFeatureUids(matches), values, inScope);
    return rows.map(({ uid }) => uid);
  }

  /** Pins a feature of the owner, or of its organization, or takes its pin away. */
  async pin(of: FeatureLocation, uid: string, isPinned: boolean, tx: Transaction): Promise<void> {
    await this.unitOfWork.execute(PIN_FEATURE, [of.setUid, uid, isPinned], { tx, scope: rowsIn(of) });
  }

  /**
   * Of these sets, by the time of their making, then uid; `total` counts the matches of all pages.
   * @throws AppError `body_too_large` when the page would be too large for an answer, before it is read
   */
  async list(
    scope: Scope,
    setUids: readonly string[],
    wanted: WantedFeatures,
    { offset, limit, pinnedFirst = false }: ListPage,
  ): Promise<{ features: Feature[]; total: number }> {
    const counted = readable(scope, wanted, 2);
    const listed = readable(scope, wanted, 5);
    return this.unitOfWork.run(
      async (tx) => {
        const count = countListedFeatures(counted, nameOf('count_listed', scope, wanted));
        const list = listFeatures(
          listed,
          pinnedFirst,
          nameOf(pinnedFirst ? 'list_pinned_first' : 'list_features', scope, wanted),
        );
        const [row] = await this.unitOfWork.execute(count, [setUids, ...counted.parameters], { tx });
        const values = [setUids, limit, offset, MAX_ANSWER_BYTES, ...listed.parameters];
        const rows = await this.unitOfWork.execute(list, values, { tx });
        const asked = { maxBytes: MAX_ANSWER_BYTES, field: 'page_size', count: limit, orElse: BY_CURSOR };
        return { features: rowsWithin(rows, asked).map(toFeature), total: row?.total ?? 0 };
      },
      // so that the total is that of the page's moment
      { isolation: 'REPEATABLE READ', scope: rowsIn(scope) },
    );
  }

  /** As `list`, as many as fit into an answer. `next` is absent at the end, `total` behind the beginning. */
  async listFrom(
    scope: Scope,
    setUids: readonly string[],
    wanted: WantedFeatures,
    { after, limit }: { readonly after: RowPosition | undefined; readonly limit: number },
  ): Promise<{ features: Feature[]; total: number | undefined; next: RowPosition | undefined }> {
    const inScope = { scope: rowsIn(scope) };
    const counted = readable(scope, wanted, 2);
    const [row] = after
      ? []
      : await this.unitOfWork.execute(
          countListedFeatures(counted, nameOf('count_listed', scope, wanted)),
          [setUids, ...counted.parameters],
          inScope,
        );
    const listed = readable(scope, wanted, 4);
    const position = after ? [after.createdAt, after.uid] : [];
    const found = await this.unitOfWork.execute(
      listFeaturesFrom(listed, after !== undefined),
      [setUids, limit + 1, MAX_ANSWER_BYTES, ...listed.parameters, ...position],
      inScope,
    );
    const { rows, hasMore } = firstRows(found, { limit, maxBytes: MAX_ANSWER_BYTES });
    const last = hasMore ? rows.at(-1) : undefined;
    const next = last && { createdAt: last.listed_at, uid: last.uid };
    return { features: rows.map(toFeature), total: after ? undefined : (row?.total ?? 0), next };
  }

  /** Of these sets, last changed first: as many as fit into an answer. */
  newestMatching(...asked: NewestAsked): Promise<Feature[]> {
    return this.readNewest(newestMatching, asked);
  }

  /** The same with as much of each category as of the others, as far as there is as much. */
  newestOfEachCategory(...asked: NewestAsked): Promise<Feature[]> {
    return this.readNewest(newestOfEachCategory, asked);
  }

  /** Of one category those that have not ended, last changed first. */
  async newest(
    { setUid, ...owner }: FeatureLocation,
    category: string,
    { limit }: { readonly limit: number },
  ): Promise<Feature[]> {
    const values = [setUid, category, limit];
    const rows = await this.unitOfWork.execute(NEWEST_FEATURES, values, { scope: rowsIn(owner) });
    return rows.map(toFeature);
  }

  /** How many features of some categories that have not ended each of the subjects has in each partition, see `FeatureGroup`. @param subjects undefined = none named */
  async groups(
    { setUid, ...owner }: FeatureLocation,
    categories: readonly string[],
    subjects: readonly (string | undefined)[],
  ): Promise<FeatureGroup[]> {
    const values = [setUid, categories, distinctSubjects(subjects)];
    const rows = await this.unitOfWork.execute(FEATURE_GROUPS, values, { scope: rowsIn(owner) });
    return rows.map(({ subject, count, grownAt, is_trusted: isTrusted, source_project_uid: source }) => ({
      subject: subject ?? undefined,
      count,
      grownAt: grownAt ?? undefined,
      partition: { isTrusted, sourceProjectUid: source ?? undefined },
    }));
  }

  /** Makes the changes of features of these sets queue until the transaction ends. */
  async lockSets(setUids: readonly string[], tx: Transaction): Promise<void> {
    // always in one sequence, so that two transactions cannot wait for each other
    const locked = this.locked.get(tx) ?? new Set();
    const inOrder = [...new Set(setUids)].filter((uid) => !locked.has(uid)).sort();
    if (inOrder.length === 0) return;
    await this.unitOfWork.execute(LOCK_SETS, [inOrder], { tx });
    this.locked.set(tx, new Set([...locked, ...inOrder]));
  }

  /** The features of a category of a set, with their citations; of this subject, tag, name and partition where given. */
  async records(
    { setUid, ...owner }: FeatureLocation,
    { category, tag, name, partition, about, isGoingOn = false }: WantedOfCategory,
    tx: Transaction,
  ): Promise<FeatureRecord[]> {
    const isAbout = [about !== undefined, about?.subject];
    const values = [setUid, category, tag, name, ...partitionValues(partition), ...isAbout, isGoingOn];
    const rows = await this.unitOfWork.execute(RECORDS_OF_CATEGORY, values, { tx, scope: rowsIn(owner) });
    return rows.map(toRecord);
  }

  /**
   * The features of these uids that exist, with their citations.
   * @throws AppError `body_too_large` when several have more bytes together, before they are read
   */
  async recordsOf(
    scope: Scope,
    uids: readonly string[],
    tx?: Transaction,
    maxBytes = Infinity,
  ): Promise<FeatureRecord[]> {
    const values = [scope.orgId, scope.projectUid, uids, maxBytes];
    const rows = await this.unitOfWork.execute(recordsByUid(scope), values, { tx, scope: rowsIn(scope) });
    return toRecords(rows, maxBytes);
  }

  /** The features of these uids that exist, without what they say. */
  async factsOf(scope: Scope, uids: readonly string[], tx?: Transaction): Promise<FeatureFact[]> {
    const values = [scope.orgId, scope.projectUid, uids];
    const rows = await this.unitOfWork.execute(factsByUid(scope), values, { tx, scope: rowsIn(scope) });
    return rows.map(toFact);
  }

  /** What ended because of features of these uids, and is none of them, with its citations. @throws AppError `body_too_large` */
  async endedBy(of: FeatureLocation, uids: readonly string[], tx: Transaction, maxBytes = Infinity) {
    const inScope = { tx, scope: rowsIn(of) };
    const rows = await this.unitOfWork.execute(SUPERSEDED_FEATURES, [of.setUid, uids, maxBytes], inScope);
    return toRecords(rows, maxBytes);
  }

  /**
   * What a batch of changes may touch, with its citations, by the time of its making.
   * @throws AppError `body_too_large` when several have more bytes together, before they are read
   */
  async recordsToChange(
    owner: Owner,
    wanted: WantedRecords,
    tx: Transaction,
    maxBytes = Infinity,
  ): Promise<FeatureRecord[]> {
    const { contents, names = [], uids = [], setUid } = wanted;
    const given = [contents.map(toSought), names.map(toName)].map((some) => JSON.stringify(some));
    const values = [...given, uids, setUid, maxBytes];
    const rows = await this.unitOfWork.execute(RECORDS_TO_CHANGE, values, { tx, scope: rowsIn(owner) });
    return toRecords(rows, maxBytes);
  }

  /**
   * Writes features of the owner, and of its organization, as they are to be, whether they were there, were deleted, or
   * are new. Their vectors are out of date then.
   */
  async save(owner: Owner, records: readonly FeatureRecord[], tx: Transaction): Promise<void> {
    if (records.length === 0) return;
    const inScope = { tx, scope: rowsIn(owner) };
    await this.unitOfWork.execute(SAVE_FEATURES, [JSON.stringify(records.map(toRow))], inScope);
    const citations = records.flatMap((record) => record.citations.map((one) => toCitationRow(record, one)));
    const [uids, setUids] = [records.map(({ uid }) => uid), setsOf(records)];
    await this.unitOfWork.execute(SAVE_CITATIONS, [uids, JSON.stringify(citations), setUids], inScope);
  }

  /** Turns features of the owner, and of its organization, into tombstones. */
  async remove(
    owner: Owner,
    features: readonly Pick<FeatureRecord, 'uid' | 'setUid'>[],
    tx: Transaction,
  ): Promise<void> {
    if (features.length === 0) return;
    const values = [features.map(({ uid }) => uid), setsOf(features)];
    await this.unitOfWork.execute(REMOVE_FEATURES, values, { tx, scope: rowsIn(owner) });
  }

  /**
   * Those of the episodes that were deleted, with the time until which that is meant: not one that was added later.
   * Features of an organization cite episodes of any of its projects, features of a project only its own.
   */
  async deletedAmong(
    owner: Owner,
    episodeUids: readonly string[],
    tx: Transaction,
  ): Promise<ReadonlyMap<string, Instant>> {
    const scope = owner.projectUid === undefined ? ROWS_OF_ALL : rowsIn(owner);
    const rows = await this.unitOfWork.execute(DELETED_AMONG, [episodeUids], { tx, scope });
    return new Map(rows.map(({ uid, added_until }) => [uid, added_until]));
  }

  private async readNewest(
    statement: typeof newestMatching,
    [scope, setUids, wanted, limit]: NewestAsked,
  ): Promise<Feature[]> {
    const matches = readable(scope, wanted, 4);
    const values = [setUids, limit, MAX_ANSWER_BYTES, ...matches.parameters];
    const rows = await this.unitOfWork.execute(statement(matches), values, { scope: rowsIn(scope) });
    return rows.map(toFeature);
  }
}
