import { AppError, instantFromDate } from '@loci/contracts';
import { type JsonRequest } from '@loci/models';
import { type Transaction } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type AppliedChanges } from '../../features/feature-change.js';
import { type CallsMade, type MeteredModel } from '../usage/metered-model.js';
import { type CallSummary } from './model-call.js';
import { ModelCallsRepository, type NewCall } from './model-calls.repository.js';

/** What a call is about. */
export type CallSubject = Pick<
  NewCall,
  'kind' | 'categories' | 'setUid' | 'orgId' | 'projectUid' | 'read' | 'earlier' | 'known'
>;

export interface RecordedReply {
  readonly value: unknown;
  /** Names the call, which may not be kept. */
  readonly callUid: string;
}

/** Refusals of our own: no model was asked. */
const UNASKED: ReadonlySet<string> = new Set(['model_quota_exceeded', 'semantic_memory_disabled']);

/** Asks models, and keeps what they were asked and replied. */
@Injectable()
export class CallRecords {
  constructor(
    private readonly calls: ModelCallsRepository,
    private readonly logger: Logger,
  ) {}

  /** As the model's own. A record that cannot be kept does not cost the reply. */
  async ask(model: MeteredModel, request: JsonRequest, about: CallSubject): Promise<RecordedReply> {
    const callUid = uuidv7();
    const begun = new Date();
    let reply: string | undefined;
    let spent: CallsMade = { calls: 0, inputTokens: 0, outputTokens: 0 };
    const keep = (failure?: CallSummary['failure']): Promise<void> =>
      this.keep({
        ...about,
        uid: callUid,
        begunAt: instantFromDate(begun),
        durationMs: Date.now() - begun.getTime(),
        model: model.name,
        failure,
        replies: spent.calls,
        inputTokens: spent.inputTokens,
        outputTokens: spent.outputTokens,
        cost: spent.cost,
        prompt: request.messages,
        reply,
      });
    try {
      const asked = { ...request, onReply: (text: string) => void (reply = text) };
      const value = await model.generateJson(asked, (made) => (spent = made));
      await keep();
      return { value, callUid };
    } catch (error) {
      if (!request.signal?.aborted && error instanceof AppError && !UNASKED.has(error.code)) {
        await keep({ code: error.code, reason: error.message });
      }
      throw error;
    }
  }

  /** What a call did to features of a category, in the transaction that does it. */
  noteMade(
    call: Pick<NewCall, 'uid' | 'setUid'>,
    category: string,
    applied: AppliedChanges,
    tx: Transaction,
  ): Promise<void> {
    return this.calls.noteMade(call, category, applied, tx);
  }

  private async keep(call: NewCall): Promise<void> {
    try {
      await this.calls.keep(call);
    } catch (error) {
      this.logger.warn('a call of a model could not be kept', { set_uid: call.setUid, error });
    }
  }
}
