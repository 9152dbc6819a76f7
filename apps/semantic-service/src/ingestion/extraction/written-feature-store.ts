import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type AppliedChanges, type NamedChange } from '../../features/feature-change.js';
import { FeatureHistoryRepository } from '../../features/feature-history.repository.js';
import { FeatureWriter } from '../../features/feature-writer.js';
import { type FeatureLocation, type FeatureRecord } from '../../features/feature.js';
import { FeaturesRepository } from '../../features/features.repository.js';
import { type FeatureGroup } from '../../features/partition.js';
import { ProposalsRepository } from '../../proposals/proposals.repository.js';
import { type AlikeRequest, type ContextRequest, FeatureContext } from '../../search/feature-context.js';
import { FeatureStore, type ModelRequest, type ShownFeature } from './feature-store.js';

const NOT_PROPOSED =
  'A client wrote this feature, and the set has as many open proposals as it may have; decide some of them, then replay.';

/** The features of this service. */
@Injectable()
export class WrittenFeatureStore extends FeatureStore {
  constructor(
    private readonly writer: FeatureWriter,
    private readonly features: FeaturesRepository,
    private readonly history: FeatureHistoryRepository,
    private readonly proposals: ProposalsRepository,
    private readonly context: FeatureContext,
  ) {
    super();
  }

  override async apply(tx: Transaction, { onRefused, ...request }: ModelRequest): Promise<AppliedChanges> {
    const refused: { change: NamedChange; features: readonly FeatureRecord[] }[] = [];
    const applied = await this.writer.apply(tx, {
      ...request,
      onRefused: (change, features) => void refused.push({ change, features }),
    });
    for (const { change, features } of refused) {
      if (!(await this.propose(tx, request, change, features))) onRefused?.(change, NOT_PROPOSED);
    }
    return applied;
  }

  override relevant(request: ContextRequest): Promise<ShownFeature[]> {
    return this.context.relevant(request);
  }

  override alike(request: AlikeRequest): Promise<ShownFeature[]> {
    return this.context.alike(request);
  }

  override groups(
    location: FeatureLocation,
    categories: readonly string[],
    subjects: readonly (string | undefined)[],
  ): Promise<readonly FeatureGroup[]> {
    return this.features.groups(location, categories, subjects);
  }

  override takenApart(
    location: FeatureLocation,
    uids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.history.takenApart(location, uids);
  }

  private propose(
    tx: Transaction,
    { location, category, partition, origin: { jobId, model } }: ModelRequest,
    change: NamedChange,
    features: readonly FeatureRecord[],
  ): Promise<boolean> {
    const { kind: command, tag, name, citations = [] } = change;
    const subject = (features.find(({ byClient }) => byClient) ?? features[0])?.subject;
    const alike = features.filter((feature) => feature.subject === subject);
    const proposal = {
      location,
      category,
      sourceProjectUid: partition.sourceProjectUid,
      command,
      subject,
      tag,
      name,
      value: change.kind === 'update' ? change.value : '',
      validity: {
        ...(change.kind === 'update' && { validFrom: change.validFrom }),
        validUntil: change.validUntil,
      },
      features: alike.map(({ uid, value }) => ({ uid, value })),
      citations,
      jobId,
      model,
    };
    return this.proposals.add(proposal, tx);
  }
}
