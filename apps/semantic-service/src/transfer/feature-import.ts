import { type TransferredFeature } from '@loci/contracts';
import { importedUid } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { byClient, featureOrigin } from '../features/feature-origins.js';
import { FeatureLedger } from '../features/feature-ledger.js';
import { union } from '../features/feature-states.js';
import { type ChangeOrigin, type Citation, type FeatureRecord } from '../features/feature.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { scopeOf } from '../projects/project.js';
import { type Arrival, countChanges, setOf } from './arrival.js';
import { TransferRepository } from './transfer.repository.js';

const byImport = (): ChangeOrigin => ({ ...byClient(), kind: 'import' });

/** A feature on its way in, under the uid that it has here. */
interface Arriving {
  readonly record: FeatureRecord;
  /** What it was called where it comes from, if that can be a uid of ours. */
  readonly sourceUid: string | undefined;
}

/** Features with their citations. One that is there, under whatever uid, gets the citations that it lacks. */
@Injectable()
export class FeatureImport {
  constructor(
    private readonly features: FeaturesRepository,
    private readonly ledger: FeatureLedger,
    private readonly transfer: TransferRepository,
  ) {}

  /**
   * @param features whose sets are registered
   * @param episodes that they cite, by source uid
   * @returns how many were added or completed
   */
  async add(
    features: readonly TransferredFeature[],
    episodes: ReadonlyMap<string, Citation>,
    arrival: Arrival,
  ): Promise<number> {
    const { tx, project, organization } = arrival;
    const arriving = features.map((feature) => toArriving(feature, episodes, arrival));
    const sets = new Set(arriving.map(({ record }) => record.setUid));
    for (const setUid of [...sets].sort()) await this.features.lockSet(setUid, tx);
    const uids = arriving.flatMap(({ record, sourceUid }) => [record.uid, ...(sourceUid ? [sourceUid] : [])]);
    const taken = await this.transfer.taken(uids, tx);
    const known = await this.features.recordsOf(
      scopeOf(project, organization === 'change' ? 'change' : 'none'),
      uids,
      tx,
    );
    const byUid = new Map(known.map((record) => [record.uid, record]));
    return countChanges(arriving, ({ record, sourceUid = '' }) => {
      const same = byUid.get(sourceUid) ?? byUid.get(record.uid);
      if (same) return this.complete(same, record, arrival);
      return taken.has(record.uid) ? Promise.resolve(false) : this.store(record, arrival);
    });
  }

  private async complete(record: FeatureRecord, arriving: FeatureRecord, { tx }: Arrival): Promise<boolean> {
    const all = union(record.citations, arriving.citations);
    if (all.length === record.citations.length || record.isTrusted !== arriving.isTrusted) return false;
    // what messages of several projects support belongs to none of their partitions
    const isOfOne = record.sourceProjectUid === arriving.sourceProjectUid;
    const sourceProjectUid = isOfOne ? record.sourceProjectUid : undefined;
    await this.ledger.write(tx, { ...record, sourceProjectUid, citations: all }, record, byImport());
    return true;
  }

  /** What says the very same as a feature that is there becomes one with it. */
  private async store(record: FeatureRecord, { tx }: Arrival): Promise<boolean> {
    const uid = await this.ledger.writeArrived(tx, record, byImport());
    return uid === record.uid;
  }
}

function toArriving(
  { set: name, sourceUid, citations, ...feature }: TransferredFeature,
  episodes: ReadonlyMap<string, Citation>,
  { project }: Arrival,
): Arriving {
  const set = setOf(project, name);
  const cited = citations.flatMap((source) => episodes.get(source) ?? []);
  const { category, tag, name: label, value, metadata, createdAt } = feature;
  const { author } = byImport();
  const isOfProject = set.projectUid === undefined && !feature.byClient;
  const partition = {
    sourceProjectUid: isOfProject ? project.uid : undefined,
    isTrusted: feature.byClient || (feature.isTrusted ?? true),
  };
  // the file may say by which way, but not in the name of whom
  const origin = { ...featureOrigin(byImport()), ...(feature.origin && { ...feature.origin, author }) };
  return {
    sourceUid: isUuid(sourceUid) ? sourceUid.toLowerCase() : undefined,
    record: {
      uid: importedUid(sourceUid, set.uid),
      ...{ setUid: set.uid, orgId: set.orgId, projectUid: set.projectUid },
      ...{ category, tag, name: label, value, metadata, createdAt, citations: cited },
      ...{ ...partition, byClient: feature.byClient, origin },
    },
  };
}
