import {
  type FeatureHistoryRequest,
  type ListSetChangesRequest,
  tenantName,
  undoChanges,
  type UndoChangesRequest,
  undoFeature,
  type UndoFeatureRequest,
} from '@loci/contracts';
import { Idempotency, Outbox, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { type HistoryEntry, type HistoryPage, type SetChange } from '../features/feature-history.js';
import { FeatureHistoryRepository } from '../features/feature-history.repository.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { requireChange, type Scope } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { SetsService } from '../sets/sets.service.js';
import { ChangeReversal } from './change-reversal.js';
import { changeNotFound } from './change-not-found.js';
import { withCompanions } from './companions.js';
import { featureNotFound } from './editing.service.js';

/** What happened to features, and the way back. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly history: FeatureHistoryRepository,
    private readonly features: FeaturesRepository,
    private readonly reversal: ChangeReversal,
    private readonly sets: SetsService,
    private readonly projects: ProjectsService,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Newest first, page by page; also of a feature that an ingestion removed. Empty where what happened is forgotten, as it is
   * when a message that was behind the feature is deleted.
   * @throws AppError `feature_not_found`
   */
  async list(request: FeatureHistoryRequest): Promise<HistoryPage> {
    const { featureId, behind } = request;
    const scope = await this.projects.scope(request);
    if (!isUuid(featureId)) throw featureNotFound();
    const page = await this.history.page(scope, featureId, behind);
    if (page.entries.length === 0) await this.requireThere(scope, featureId);
    return page;
  }

  /** The changes of a set, newest first. @throws AppError `set_not_found` */
  async changes(
    request: ListSetChangesRequest,
  ): Promise<{ readonly changes: readonly SetChange[]; readonly total: number | undefined }> {
    const { setId, pageSize, pageNum, behind } = request;
    const scope = await this.projects.scope(request);
    const set = await this.sets.get(scope, setId);
    return this.history.changes(scope, set.uid, { offset: pageSize * pageNum, limit: pageSize, behind });
  }

  /**
   * Makes the feature what it was before a change, and with it what the change ended, or made one with it. What later changes
   * made of it goes, too, with what these ended or made one with it, and where a later merge took it away, that merge. A
   * consolidation is taken back whole, with every feature that it touched, and so is the taking back of one. Taking back is a
   * change like any other: doing it twice brings back what was taken back.
   * @throws AppError `feature_not_found`; `changed_since` where that was asked for; `body_too_large` when that is more than is undone at once; `change_not_found` when no such change of it is known; `category_not_found` when the set has lost the
   * category that the feature was in; `forbidden`; `producer_not_allowed` when it is about another user than the producer
   * that the key of the author is bound to
   */
  async undo(request: UndoFeatureRequest): Promise<void> {
    const { tenant, featureId, changeId, unlessChanged, idempotency } = request;
    const operation = { tenant: tenantName(tenant), operation: undoFeature.subject };
    await this.idempotency.run(operation, idempotency, async (tx) => {
      const scope = await this.projects.scope(request, tx);
      const entry = await this.firstEntryOf(scope, { featureId, changeId }, tx);
      requireChange(scope, entry.location);
      const { kind, changeUid } = entry.origin;
      const isOne = kind === 'consolidation' || kind === 'undo';
      const ofChange =
        changeUid === undefined
          ? [entry]
          : await this.history.ofChanges(scope, entry.location.setUid, [changeUid], tx);
      const taken = isOne ? ofChange : withCompanions([entry], ofChange);
      await this.reversal.takeBack(scope, { wanted: taken, unlessChanged }, tx);
      return {};
    });
    this.outbox.wake();
  }

  /**
   * Makes every feature of the changes what it was before them: all of them or none.
   * @throws AppError `set_not_found`, `change_not_found`, `changed_since`, `body_too_large`; `category_not_found`, `forbidden`, `producer_not_allowed` as with one feature
   */
  async undoChanges(request: UndoChangesRequest): Promise<void> {
    const { tenant, setId, changeIds, unlessChanged, idempotency } = request;
    const operation = { tenant: tenantName(tenant), operation: undoChanges.subject };
    await this.idempotency.run(operation, idempotency, async (tx) => {
      const scope = await this.projects.scope(request, tx);
      const set = await this.sets.get(scope, setId, tx);
      requireChange(scope, set);
      const uids = [...new Set(changeIds.filter((id) => isUuid(id)).map((id) => id.toLowerCase()))];
      const wanted = await this.history.ofChanges(scope, set.uid, uids, tx);
      const found = new Set(wanted.map(({ uid, origin }) => origin.changeUid ?? uid));
      if (!changeIds.every((id) => found.has(id.toLowerCase()))) throw changeNotFound('set');
      await this.reversal.takeBack(scope, { wanted, unlessChanged }, tx);
      return {};
    });
    this.outbox.wake();
  }

  /**
   * The first entry of a change of a feature: within a change it tells what was before. Of the newest change by default.
   * @throws AppError `feature_not_found` when there is neither such a feature nor anything that happened to it, `change_not_found`
   */
  private async firstEntryOf(
    scope: Scope,
    { featureId, changeId }: Pick<UndoFeatureRequest, 'featureId' | 'changeId'>,
    tx: Transaction,
  ): Promise<HistoryEntry> {
    if (!isUuid(featureId)) throw featureNotFound();
    const isNamed = changeId === undefined || isUuid(changeId);
    const entries = isNamed ? await this.history.ofFeature(scope, featureId, changeId, tx) : [];
    const wanted = changeId ?? entries[0]?.origin.changeUid;
    const entry = entries.findLast(({ uid, origin }) => uid === wanted || origin.changeUid === wanted);
    if (entry) return entry;
    if (!(await this.history.knows(scope, featureId, tx))) await this.requireThere(scope, featureId, tx);
    throw changeNotFound('feature');
  }

  private async requireThere(scope: Scope, featureUid: string, tx?: Transaction): Promise<void> {
    if ((await this.features.recordsOf(scope, [featureUid], tx)).length === 0) throw featureNotFound();
  }
}
