import { type Tenant, tenantName, undoFeature, type UndoFeatureRequest } from '@loci/contracts';
import { Idempotency, Outbox } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { CategoriesService } from '../categories/categories.service.js';
import { FeatureHistoryRepository, type HistoryEntry } from '../features/feature-history.repository.js';
import { FeatureLedger } from '../features/feature-ledger.js';
import { type ChangeOrigin } from '../features/feature.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import { SetsService } from '../sets/sets.service.js';
import { featureNotFound } from './editing.service.js';

const UNDO: ChangeOrigin = { kind: 'undo', episodes: [] };

/** What happened to a feature, and the way back. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly history: FeatureHistoryRepository,
    private readonly features: FeaturesRepository,
    private readonly ledger: FeatureLedger,
    private readonly sets: SetsService,
    private readonly categories: CategoriesService,
    private readonly projects: ProjectsService,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /** Newest first; also of a feature that an ingestion removed. @throws AppError `feature_not_found` */
  async list(tenant: Tenant, featureUid: string): Promise<HistoryEntry[]> {
    const scope = await this.projects.scope(tenant);
    const entries = isUuid(featureUid) ? await this.history.list(scope, featureUid) : [];
    if (entries.length === 0) throw featureNotFound();
    return entries;
  }

  /**
   * Makes the feature what it was before a change. Taking back is a change like any other: doing it twice brings back what
   * was taken back.
   * @throws AppError `feature_not_found`, also when it has no such change; `category_not_found` when the set has lost the
   * category that the feature was in
   */
  async undo({ tenant, featureId, changeId, idempotency }: UndoFeatureRequest): Promise<void> {
    const operation = { tenant: tenantName(tenant), operation: undoFeature.subject };
    await this.idempotency.run(operation, idempotency, async (tx) => {
      const scope = await this.projects.scope(tenant, tx);
      const entries = isUuid(featureId) ? await this.history.list(scope, featureId, tx) : [];
      const entry = changeId === undefined ? entries[0] : entries.find(({ uid }) => uid === changeId);
      if (!entry) throw featureNotFound();
      await this.ledger.holdCited(tx, entry.before?.citations ?? []);
      await this.features.lockSet(entry.place.setUid, tx);
      const [now] = await this.features.recordsOf(scope, [entry.featureUid], tx);
      if (entry.before) {
        const set = await this.sets.byUid(scope, entry.place.setUid, tx);
        await this.categories.refuseUnavailable(set, entry.before.category, tx);
        const record = { uid: entry.featureUid, ...entry.place, ...entry.before };
        await this.ledger.write(tx, record, now, UNDO);
      } else if (now) {
        await this.ledger.remove(tx, [now], { origin: UNDO, keepHistory: true });
      }
      return {};
    });
    this.outbox.wake();
  }
}
