import { instantFromDate, notFound, type TransferredDate, type TransferredFeature } from '@loci/contracts';
import { importedUid } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { BUILT_IN_CATEGORIES } from '../categories/built-in/built-in-categories.js';
import { CategoriesRepository } from '../categories/categories.repository.js';
import { byClient, featureOrigin } from '../features/feature-origins.js';
import { type FeatureWrite, FeatureWriter } from '../features/feature-writer.js';
import { sayTheSame, union } from '../features/feature-states.js';
import {
  type ChangeOrigin,
  type Citation,
  type FeatureFact,
  type FeatureRecord,
} from '../features/feature.js';
import { MAX_READ_BYTES } from '../features/bounded-records.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { inHalves } from '../features/in-halves.js';
import { allDates, type DateStatement, stated, validityOf } from '../features/validity.js';
import { type OpenProject, type Scope, scopeOf } from '../projects/project.js';
import { requireOwnFact } from '../sets/own-facts.js';
import { type MemorySet } from '../sets/set.js';
import { type ImportContext } from './import-context.js';
import { TransferRepository } from './transfer.repository.js';

const byImport = (): ChangeOrigin => ({ ...byClient(), kind: 'import' });

/** A feature that is being imported, under the uid that it has here. */
interface ImportedFeature {
  readonly record: FeatureRecord;
  readonly set: MemorySet;
  /** Whether it has no beginning, because it ended before it. */
  readonly isUndated: boolean;
}

/** What became of features; those in neither count were there already. */
export interface ImportedFeatures {
  /** Added or completed. */
  readonly added: number;
  /** Not there now either: learned from messages that are not there, or deleted a moment ago. */
  readonly leftOut: number;
  /** Of those that were added: without their beginning, because they ended before it. */
  readonly datesLeftOut: number;
}

/** Features with their citations. One that is there, under whatever uid, gets the citations that it lacks. */
@Injectable()
export class FeatureImport {
  constructor(
    private readonly features: FeaturesRepository,
    private readonly writer: FeatureWriter,
    private readonly transfer: TransferRepository,
    private readonly categories: CategoriesRepository,
  ) {}

  /**
   * @param features whose sets are registered
   * @param episodes that they cite, by source uid
   * @throws AppError `category_not_found`, `producer_not_allowed`
   */
  async add(
    features: readonly TransferredFeature[],
    episodes: ReadonlyMap<string, Citation>,
    context: ImportContext,
  ): Promise<ImportedFeatures> {
    const { tx, project } = context;
    const given = features.map((feature) => ({ feature, set: context.sets.of(feature.set) }));
    const sets = new Set(given.map(({ set }) => set.uid));
    await this.features.lockSets([...sets], tx);
    await this.refuseUnknownCategories(given, context);
    const uids = given.flatMap(({ feature, set }) => [
      importedUid(feature.sourceUid, set.uid),
      ...sourcesIn(feature).flatMap((source) => ownUid(source) ?? []),
    ]);
    const taken = await this.transfer.taken(uids, tx);
    const there = await this.features.factsOf(seenBy(context), uids, tx);
    const byUid = new Map(there.map((fact) => [fact.uid, fact]));
    const imported = given.map(({ feature, set }) => toImported(feature, { set, project, episodes, byUid }));
    const done: ImportedFeatures[] = [];
    await inHalves(imported, async (some) => void done.push(await this.addSome(some, taken, context)));
    return {
      added: sumOf(done, ({ added }) => added),
      datesLeftOut: sumOf(done, ({ datesLeftOut }) => datesLeftOut),
      leftOut: sumOf(done, ({ leftOut }) => leftOut),
    };
  }

  /**
   * @param taken uids of features of any tenant
   * @throws AppError `body_too_large` when what they are added to is too large at once, before any is
   */
  private async addSome(
    imported: readonly ImportedFeature[],
    taken: ReadonlySet<string>,
    context: ImportContext,
  ): Promise<ImportedFeatures> {
    const { tx } = context;
    const maxBytes = imported.length > 1 ? MAX_READ_BYTES : Infinity;
    const uids = imported.map(({ record }) => record.uid);
    const known = await this.features.recordsOf(seenBy(context), uids, tx, maxBytes);
    const byUid = new Map(known.map((record) => [record.uid, record]));
    const writes = imported.flatMap(({ record, set }): FeatureWrite[] => {
      const same = byUid.get(record.uid);
      if (!same) return taken.has(record.uid) ? [] : [{ record, isLearned: !record.byClient }];
      if (!sayTheSame(same, record)) return [];
      requireOwnFact(same, set);
      return completed(same, record);
    });
    const written = await this.writer.writeAll(tx, { writes, origin: byImport(), maxBytes });
    const isGone = ({ record: { uid } }: ImportedFeature): boolean => taken.has(uid) && !byUid.has(uid);
    const undated = new Set(imported.flatMap(({ record, isUndated }) => (isUndated ? [record.uid] : [])));
    const isNew = (write: FeatureWrite | undefined): boolean => write !== undefined && !write.before;
    return {
      // what says the very same as a feature that is there becomes one with it
      added: written.filter((uid, index) => uid === writes[index]?.record.uid).length,
      datesLeftOut: written.filter(
        (uid, index) => uid !== undefined && isNew(writes[index]) && undated.has(uid),
      ).length,
      leftOut: written.filter((uid) => uid === undefined).length + imported.filter(isGone).length,
    };
  }

  /**
   * What is known in a category that its set does without is taken along, as it stays where that is disabled; and so is what
   * is known in a built-in one, which another deployment may give to its sets and this one not.
   */
  private async refuseUnknownCategories(
    given: readonly { readonly feature: TransferredFeature; readonly set: MemorySet }[],
    { tx, project, organization }: ImportContext,
  ): Promise<void> {
    const wanted = given
      .map(({ feature: { category: name }, set }) => ({ setUid: set.uid, name }))
      .filter(({ name }) => !BUILT_IN_CATEGORIES.has(name));
    if (wanted.length === 0) return;
    const [name] = await this.categories.lacking(wanted, scopeOf(project, organization), tx);
    if (name === undefined) return;
    throw notFound(
      'category_not_found',
      `The set does not have the category ${JSON.stringify(name)}; put a line of kind category before what is known in it, or add it to the set.`,
    );
  }
}

const seenBy = ({ project, organization }: ImportContext): Scope =>
  scopeOf(project, organization === 'change' ? 'change' : 'none');

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

/** A feature that is there, with the citations that it lacks; none when it lacks none. */
function completed(record: FeatureRecord, imported: FeatureRecord): FeatureWrite[] {
  const citations = union(record.citations, imported.citations);
  if (citations.length === record.citations.length || record.isTrusted !== imported.isTrusted) return [];
  // what messages of several projects support belongs to none of their partitions
  const isOfOne = record.sourceProjectUid === imported.sourceProjectUid;
  const sourceProjectUid = isOfOne ? record.sourceProjectUid : undefined;
  return [{ record: { ...record, sourceProjectUid, citations }, before: record }];
}

/** All features that a line names, as they are called where it comes from. */
const sourcesIn = ({ sourceUid, dates = [], contradicts = [] }: TransferredFeature): string[] => [
  ...[sourceUid, ...contradicts],
  ...dates.flatMap(({ supersededBy }) => supersededBy ?? []),
];

const ownUid = (source: string): string | undefined => (isUuid(source) ? source.toLowerCase() : undefined);

/** What features are imported into. */
interface ImportTarget {
  readonly set: MemorySet;
  readonly project: OpenProject;
  /** Those that are cited, by source uid. */
  readonly episodes: ReadonlyMap<string, Citation>;
  /** What is there of all that the lines name. */
  readonly byUid: ReadonlyMap<string, FeatureFact>;
}

/** The uid that a feature has here: its own, if it is there under that. */
function uidIn({ set, byUid }: ImportTarget, source: string): string {
  const own = byUid.get(ownUid(source) ?? '');
  return own?.setUid === set.uid ? own.uid : importedUid(source, set.uid);
}

function toImported(
  { sourceUid, citations, ...feature }: TransferredFeature,
  target: ImportTarget,
): ImportedFeature {
  const { set, project, episodes } = target;
  const cited = citations.flatMap((source) => episodes.get(source) ?? []);
  const { subject, category, tag, name: label, value, metadata, createdAt, recordedAt, dates = [] } = feature;
  requireOwnFact(feature, set);
  const { author } = byImport();
  const isOfProject = set.projectUid === undefined && !feature.byClient;
  const partition = {
    sourceProjectUid: isOfProject ? project.uid : undefined,
    isTrusted: feature.byClient || (feature.isTrusted ?? true),
  };
  // the file may say by which way, but not in the name of whom
  const said = allDates(dates.flatMap((date) => toStatements(date, target)));
  const { validFrom, validUntil } = validityOf(said);
  const isUndated = validFrom !== undefined && validUntil !== undefined && validUntil.at < validFrom.at;
  const origin = { ...featureOrigin(byImport()), ...(feature.origin && { ...feature.origin, author }) };
  return {
    set,
    isUndated,
    record: {
      uid: uidIn(target, sourceUid),
      setUid: set.uid,
      orgId: set.orgId,
      projectUid: set.projectUid,
      subject,
      category,
      tag,
      name: label,
      value,
      metadata,
      createdAt,
      citations: cited,
      dates: isUndated ? said?.filter(({ bound }) => bound === 'until') : said,
      recordedAt: recordedAt ?? createdAt ?? instantFromDate(new Date()),
      ...partition,
      byClient: feature.byClient,
      isPinned: feature.isPinned,
      isSingleValued: feature.isSingleValued,
      contradicts: feature.contradicts?.map((uid) => uidIn(target, uid)),
      origin,
    },
  };
}

/** What was said of when it holds; nothing when the message that said so is not there. */
function toStatements(
  { episode, supersededBy, bound, at, precision }: TransferredDate,
  target: ImportTarget,
): DateStatement[] {
  const said = episode === undefined ? undefined : target.episodes.get(episode);
  if (episode !== undefined && !said) return [];
  const successor = supersededBy === undefined ? undefined : uidIn(target, supersededBy);
  return stated({ bound, at, precision, supersededBy: successor }, said ? [said] : []);
}
