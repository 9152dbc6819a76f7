import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type ChangeRequest } from '../../features/feature-change.js';
import { FeatureLedger } from '../../features/feature-ledger.js';
import { FeatureContext } from '../../search/feature-context.js';
import { FeatureStore, type KnownFeature } from './feature-store.js';

/** The features of this service. */
@Injectable()
export class LedgerFeatureStore extends FeatureStore {
  constructor(
    private readonly ledger: FeatureLedger,
    private readonly context: FeatureContext,
  ) {
    super();
  }

  override apply(tx: Transaction, request: ChangeRequest): Promise<unknown> {
    return this.ledger.apply(tx, request);
  }

  override relevant(
    setUid: string,
    category: string,
    texts: readonly string[],
    limit: number,
  ): Promise<KnownFeature[]> {
    return this.context.relevant(setUid, category, texts, limit);
  }

  override ofTag(setUid: string, category: string, tag: string): Promise<KnownFeature[]> {
    return this.ledger.ofTag(setUid, category, tag);
  }

  override countByTag(setUid: string, category: string): Promise<ReadonlyMap<string, number>> {
    return this.ledger.countByTag(setUid, category);
  }
}
