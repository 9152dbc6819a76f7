import { type Instant } from '@loci/contracts';
import { type ChatMessage } from '@loci/models';
import { ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../../env.js';
import { type AppliedChanges } from '../../features/feature-change.js';
import { FeaturesRepository } from '../../features/features.repository.js';
import { type Scope } from '../../projects/project.js';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { rowsIn } from '../../projects/row-scope.js';
import { countModelCalls } from './count-model-calls.sql.js';
import { EXPIRE_MODEL_CALLS } from './expire-model-calls.sql.js';
import { findModelCall } from './find-model-call.sql.js';
import { KEEP_MODEL_CALL } from './keep-model-call.sql.js';
import { keptTexts } from './kept-texts.js';
import { listModelCalls } from './list-model-calls.sql.js';
import { type CallDetails, type CallSummary, type ListedCall, type MadeFeature } from './model-call.js';
import { toDetails, toListed } from './model-call-rows.js';
import { NOTE_MADE_FEATURES } from './note-made-features.sql.js';

/** Rows that one statement removes at most. */
const EXPIRY_BATCH = 200;

/** A message that a call shows. */
export interface ShownMessage {
  readonly episodeUid: string;
  readonly addedAt?: Instant | undefined;
}

export interface NewCall extends CallSummary {
  readonly begunAt: Instant;
  readonly setUid: string;
  readonly orgId: string;
  /** Whose messages it shows. */
  readonly projectUid: string;
  /** Messages that it learns from. */
  readonly read: readonly ShownMessage[];
  /** What was said before them. */
  readonly earlier: readonly ShownMessage[];
  /** Features that it shows. */
  readonly known: readonly string[];
  readonly prompt: readonly ChatMessage[];
  readonly reply: string | undefined;
}

/** Which calls are asked for; what is absent is any. */
export interface WantedCalls {
  readonly setId?: string | undefined;
  readonly isFailed?: boolean | undefined;
  readonly since?: Instant | undefined;
  readonly until?: Instant | undefined;
}

/**
 * Calls of models, for as long as their project keeps them, and all that they show is there: what is forgotten is gone from
 * here with the transaction that forgets it.
 */
@Injectable()
export class ModelCallsRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly projects: ProjectsRepository,
    private readonly features: FeaturesRepository,
    @Inject(SemanticServiceEnv)
    private readonly env: Pick<SemanticServiceEnv, 'MAX_MODEL_CALLS_PER_PROJECT'>,
  ) {}

  /** Under the locks of its project and its set: what is being forgotten is gone already, or takes the call along. */
  async keep(call: NewCall): Promise<void> {
    const owner = { orgId: call.orgId, projectUid: call.projectUid };
    const shown = [...call.read, ...call.earlier];
    const { prompt, reply, isCut } = keptTexts(call.prompt, call.reply);
    const values = [
      ...[call.uid, call.setUid, call.orgId, call.projectUid, call.kind, call.categories, call.model],
      ...[call.failure?.code, call.failure?.reason, call.replies, call.inputTokens, call.outputTokens],
      ...[call.cost, call.durationMs, call.read.map(({ episodeUid }) => episodeUid)],
      ...[shown.map(({ episodeUid }) => episodeUid), shown.map(({ addedAt }) => addedAt ?? null)],
      ...[call.known, JSON.stringify(prompt), reply, isCut, call.begunAt],
      this.env.MAX_MODEL_CALLS_PER_PROJECT,
    ];
    await this.unitOfWork.run(
      async (tx) => {
        // projects before sets: every transaction locks in this sequence
        await this.projects.keepOpen(owner, [call.projectUid], tx);
        await this.features.lockSets([call.setUid], tx);
        await this.unitOfWork.execute(KEEP_MODEL_CALL, values, { tx });
      },
      { scope: rowsIn(owner) },
    );
  }

  /** Notes what a call did to features of a category, in the transaction that does it. A call that is not kept stays so. */
  async noteMade(
    { uid, setUid }: Pick<NewCall, 'uid' | 'setUid'>,
    category: string,
    applied: AppliedChanges,
    tx: Transaction,
  ): Promise<void> {
    const made = madeBy(category, applied);
    if (made.length === 0) return;
    const values = [setUid, uid, JSON.stringify(made), made.map((one) => one.uid)];
    await this.unitOfWork.execute(NOTE_MADE_FEATURES, values, { tx, scope: ROWS_OF_ALL });
  }

  /** Newest first; `total` counts all pages. */
  async list(
    scope: Scope,
    { setId, isFailed, since, until }: WantedCalls,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<{ calls: ListedCall[]; total: number }> {
    const values = [scope.orgId, scope.projectUid, setId, isFailed, since, until];
    const inScope = { scope: rowsIn(scope) };
    const [counted] = await this.unitOfWork.execute(countModelCalls(scope), values, inScope);
    const rows = await this.unitOfWork.execute(listModelCalls(scope), [...values, limit, offset], inScope);
    return { calls: rows.map(toListed), total: counted?.total ?? 0 };
  }

  async find(scope: Scope, uid: string): Promise<CallDetails | undefined> {
    const values = [scope.orgId, scope.projectUid, uid];
    const [row] = await this.unitOfWork.execute(findModelCall(scope), values, { scope: rowsIn(scope) });
    return row && toDetails(row);
  }

  /** Removes what has expired, a batch at a time. */
  async expire(signal: AbortSignal): Promise<void> {
    for (let removed = EXPIRY_BATCH; removed === EXPIRY_BATCH && !signal.aborted;) {
      const [row] = await this.unitOfWork.execute(EXPIRE_MODEL_CALLS, [EXPIRY_BATCH], {
        scope: ROWS_OF_ALL,
      });
      removed = row?.removed ?? 0;
    }
  }
}

const madeBy = (category: string, { added, updated, removed }: AppliedChanges): MadeFeature[] => [
  ...added.map((uid) => ({ uid, category, action: 'add' as const })),
  ...updated.map((uid) => ({ uid, category, action: 'update' as const })),
  ...removed.map((uid) => ({ uid, category, action: 'remove' as const })),
];
