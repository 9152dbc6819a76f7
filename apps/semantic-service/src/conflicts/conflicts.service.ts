import {
  type ConflictSettled,
  instantFromDate,
  type ListConflictsRequest,
  MAX_CONTRADICTING_COUNTED,
  notFound,
  settleConflict,
  type SettleConflictRequest,
  tenantName,
  tooLarge,
} from '@loci/contracts';
import { Idempotency, Outbox, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { featureNotFound } from '../editing/editing.service.js';
import { byClient } from '../features/feature-origins.js';
import { FeatureWriter } from '../features/feature-writer.js';
import { asOneChange, type Feature, type FeatureRecord } from '../features/feature.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { ended, sinceThen } from '../features/replaced-feature.js';
import { validityOf } from '../features/validity.js';
import { requireChange, type Scope } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { requireOwnFact } from '../sets/own-facts.js';
import { SetsService } from '../sets/sets.service.js';
import { KnownSubjects } from '../subjects/known-subjects.js';
import { ConflictsRepository } from './conflicts.repository.js';

/** The most that one settlement ends, large ones fewer; what is left conflicts still. */
const MAX_ENDED = 1_000;

/** Features that contradict each other, and what clients decide of them. */
@Injectable()
export class ConflictsService {
  constructor(
    private readonly conflicts: ConflictsRepository,
    private readonly features: FeaturesRepository,
    private readonly writer: FeatureWriter,
    private readonly sets: SetsService,
    private readonly projects: ProjectsService,
    private readonly subjects: KnownSubjects,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /** @throws AppError `set_not_found`; `unknown_subject` for a subject never heard of */
  async list(request: ListConflictsRequest): Promise<{ conflicts: Feature[][]; total: number }> {
    const { setId, subject, pageSize, pageNum } = request;
    const scope = await this.projects.scope(request);
    const set = setId === undefined ? undefined : await this.sets.get(scope, setId);
    const page = { offset: pageSize * pageNum, limit: pageSize };
    const found = await this.conflicts.list(scope, { setUid: set?.uid, subject, ...page });
    if (subject !== undefined && found.total === 0) {
      const project = await this.projects.find(request.tenant);
      await this.subjects.require(project, scope, { field: 'subject', subject });
    }
    return found;
  }

  /**
   * Ends what contradicts a feature, as superseded by it: when it began to hold, where that is stated, else now. One change,
   * which undo takes back whole.
   * @throws AppError `feature_not_found`; `conflict_not_found` when nothing contradicts it, or one that is named does not;
   * `body_too_large` when those that are named are too large together; `forbidden`, `producer_not_allowed`
   */
  async settle(request: SettleConflictRequest): Promise<ConflictSettled> {
    const { tenant, featureId, otherIds, idempotency } = request;
    const operation = { tenant: tenantName(tenant), operation: settleConflict.subject };
    const settled = await this.idempotency.run(operation, idempotency, async (tx) => {
      const scope = await this.projects.scope(request, tx);
      const kept = await this.lockedFeature(scope, featureId, tx);
      requireChange(scope, kept);
      const set = await this.sets.byUid(scope, kept.setUid, tx);
      const { others, left } = await this.others(scope, kept, otherIds, tx);
      for (const record of [kept, ...others]) requireOwnFact(record, set);
      const until = sinceThen(validityOf(kept.dates).validFrom, [], instantFromDate(new Date()));
      const ending = { until, citations: [], supersededBy: kept.uid };
      const writes = others.map((before) => ({ record: ended(before, ending), before }));
      await this.writer.writeAll(tx, { writes, origin: asOneChange(byClient()) });
      return { ended: others.length, left };
    });
    this.outbox.wake();
    return settled;
  }

  private async lockedFeature(scope: Scope, featureId: string, tx: Transaction): Promise<FeatureRecord> {
    const uids = [featureId].filter((id) => isUuid(id));
    const [seen] = await this.features.recordsOf(scope, uids, tx);
    if (!seen) throw featureNotFound();
    await this.features.lockSets([seen.setUid], tx);
    const [record] = await this.features.recordsOf(scope, uids, tx);
    if (!record) throw featureNotFound();
    return record;
  }

  private async others(
    scope: Scope,
    kept: FeatureRecord,
    otherIds: readonly string[] | undefined,
    tx: Transaction,
  ): Promise<{ others: FeatureRecord[]; left: number }> {
    const all = await this.conflicts.of(scope, kept.uid, MAX_CONTRADICTING_COUNTED, tx);
    const named = otherIds?.map((id) => id.toLowerCase());
    const contradicting = new Set(all);
    if (all.length === 0 || named?.some((id) => !contradicting.has(id))) throw conflictNotFound();
    const wanted = [...new Set(named ?? all.slice(0, MAX_ENDED))];
    const fitting = await this.conflicts.endable(scope, wanted, kept, tx);
    if (named && fitting.length < wanted.length) throw tooLargeTogether(fitting.length);
    const others = await this.features.recordsOf(scope, fitting, tx);
    return { others, left: all.length - others.length };
  }
}

const tooLargeTogether = (fitting: number): Error =>
  tooLarge(
    'body_too_large',
    `These features are too large to be ended together; name ${fitting} or fewer at once in other_ids.`,
  );

const conflictNotFound = (): Error =>
  notFound(
    'conflict_not_found',
    'These features do not contradict each other, so nothing was changed; list the conflicts.',
  );
