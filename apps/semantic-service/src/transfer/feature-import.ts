import { instantFromDate, type TransferredDate, type TransferredFeature } from '@loci/contracts';
import { importedUid } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { byClient, featureOrigin } from '../features/feature-origins.js';
import { type FeatureWrite, FeatureWriter } from '../features/feature-writer.js';
import { union } from '../features/feature-states.js';
import { type ChangeOrigin, type Citation, type FeatureRecord } from '../features/feature.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { allDates, type DateStatement, stated, validityOf } from '../features/validity.js';
import { scopeOf } from '../projects/project.js';
import { requireOwnFact } from '../sets/own-facts.js';
import { type ImportContext, setOf } from './import-context.js';
import { TransferRepository } from './transfer.repository.js';

const byImport = (): ChangeOrigin => ({ ...byClient(), kind: 'import' });

/** A feature that is being imported, under the uid that it has here. */
interface ImportedFeature {
  readonly record: FeatureRecord;
  /** Its uid in the source, if that can be a uid of ours. */
  readonly sourceUid: string | undefined;
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
  ) {}

  /**
   * @param features whose sets are registered
   * @param episodes that they cite, by source uid
   */
  async add(
    features: readonly TransferredFeature[],
    episodes: ReadonlyMap<string, Citation>,
    context: ImportContext,
  ): Promise<ImportedFeatures> {
    const { tx, project, organization } = context;
    const imported = features.map((feature) => toImported(feature, episodes, context));
    const sets = new Set(imported.map(({ record }) => record.setUid));
    await this.features.lockSets([...sets], tx);
    const uids = imported.flatMap(({ record, sourceUid }) => [record.uid, ...(sourceUid ? [sourceUid] : [])]);
    const taken = await this.transfer.taken(uids, tx);
    const known = await this.features.recordsOf(
      scopeOf(project, organization === 'change' ? 'change' : 'none'),
      uids,
      tx,
    );
    const byUid = new Map(known.map((record) => [record.uid, record]));
    const writes = imported.flatMap(({ record, sourceUid = '' }): FeatureWrite[] => {
      const same = byUid.get(sourceUid) ?? byUid.get(record.uid);
      if (same) return completed(same, record);
      return taken.has(record.uid) ? [] : [{ record, isLearned: !record.byClient }];
    });
    const written = await this.writer.writeAll(tx, { writes, origin: byImport() });
    const isGone = ({ record, sourceUid = '' }: ImportedFeature): boolean =>
      taken.has(record.uid) && !byUid.has(record.uid) && !byUid.has(sourceUid);
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
}

/** A feature that is there, with the citations that it lacks; none when it lacks none. */
function completed(record: FeatureRecord, imported: FeatureRecord): FeatureWrite[] {
  const citations = union(record.citations, imported.citations);
  if (citations.length === record.citations.length || record.isTrusted !== imported.isTrusted) return [];
  // what messages of several projects support belongs to none of their partitions
  const isOfOne = record.sourceProjectUid === imported.sourceProjectUid;
  const sourceProjectUid = isOfOne ? record.sourceProjectUid : undefined;
  return [{ record: { ...record, sourceProjectUid, citations }, before: record }];
}

function toImported(
  { set: name, sourceUid, citations, ...feature }: TransferredFeature,
  episodes: ReadonlyMap<string, Citation>,
  { project }: ImportContext,
): ImportedFeature {
  const set = setOf(project, name);
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
  const said = allDates(dates.flatMap((date) => toStatements(date, episodes, set.uid)));
  const { validFrom, validUntil } = validityOf(said);
  const isUndated = validFrom !== undefined && validUntil !== undefined && validUntil.at < validFrom.at;
  const origin = { ...featureOrigin(byImport()), ...(feature.origin && { ...feature.origin, author }) };
  return {
    sourceUid: isUuid(sourceUid) ? sourceUid.toLowerCase() : undefined,
    isUndated,
    record: {
      uid: importedUid(sourceUid, set.uid),
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
      contradicts: feature.contradicts?.map((uid) => importedUid(uid, set.uid)),
      origin,
    },
  };
}

/** What was said of when it holds; nothing when the message that said so is not there. */
function toStatements(
  { episode, supersededBy, bound, at, precision }: TransferredDate,
  episodes: ReadonlyMap<string, Citation>,
  setUid: string,
): DateStatement[] {
  const said = episode === undefined ? undefined : episodes.get(episode);
  if (episode !== undefined && !said) return [];
  const successor = supersededBy === undefined ? undefined : importedUid(supersededBy, setUid);
  return stated({ bound, at, precision, supersededBy: successor }, said ? [said] : []);
}
