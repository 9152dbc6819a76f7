import { notFound } from '@loci/contracts';
import { type Transaction, Outbox, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { changeForbidden, type Scope } from '../../projects/project.js';
import { enqueueSets } from '../jobs/enqueue-sets.js';
import {
  type IngestionDeadLetter,
  IngestionDeadLettersRepository,
  type LetterPage,
} from './ingestion-dead-letters.repository.js';

/** Runs work in a transaction, once however often it is asked for. */
export type RunOnce = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;

/** As `RunOnce`, for work of which a part is done before its transaction. */
export type RunPreparedOnce = <Prepared, Result>(
  prepare: () => Promise<Prepared>,
  work: (tx: Transaction, prepared: Prepared) => Promise<Result>,
) => Promise<Result>;

/** Each may belong to a set of its own, of which the job is locked. */
const REPLAYED_TOGETHER = 500;

@Injectable()
export class IngestionDeadLettersService {
  constructor(
    private readonly letters: IngestionDeadLettersRepository,
    private readonly outbox: Outbox,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(scope: Scope, page: LetterPage): Promise<{ letters: IngestionDeadLetter[]; total: number }> {
    return this.letters.list(scope, page);
  }

  /** @throws AppError `dead_letter_not_found` */
  async get(scope: Scope, uid: string): Promise<IngestionDeadLetter> {
    const letter = isUuid(uid) ? await this.letters.find(scope, uid) : undefined;
    if (!letter) throw missing();
    return letter;
  }

  /** Has the messages of one letter ingested again. @throws AppError `dead_letter_not_found`, `forbidden`, and what `once` does */
  async replay(scope: Scope, uid: string, once: RunOnce): Promise<void> {
    await once(async (tx) => {
      const replayed = isUuid(uid) ? await this.replayThose(scope, [uid], tx) : 0;
      if (replayed === 0) await this.refuse(scope, uid);
      return {};
    });
    this.outbox.wake();
  }

  /**
   * Some at a time, each time in a transaction of its own: a request that ends before the last ones is repeated, and goes on.
   * @returns how many letters were replayed
   */
  async replayAll(scope: Scope, once: RunPreparedOnce): Promise<number> {
    const replayed = await once(
      () => this.replayMost(scope),
      async (tx, before) => before + (await this.replaySome(scope, tx)).replayed,
    );
    this.outbox.wake();
    return replayed;
  }

  /** @throws AppError `dead_letter_not_found`, `forbidden`, and what `once` does */
  async drop(scope: Scope, uid: string, once: RunOnce): Promise<void> {
    await once(async (tx) => {
      const isDropped = isUuid(uid) && (await this.letters.drop(scope, uid, tx));
      if (!isDropped) await this.refuse(scope, uid);
      return {};
    });
  }

  /** Why a letter was not changed. @throws AppError `forbidden`, `dead_letter_not_found` */
  private async refuse(scope: Scope, uid: string): Promise<never> {
    await this.get(scope, uid);
    throw changeForbidden();
  }

  /** @returns how many letters were replayed; fewer are left than belong together */
  private async replayMost(scope: Scope): Promise<number> {
    let replayed = 0;
    for (let isFull = true; isFull;) {
      const step = await this.unitOfWork.run((tx) => this.replaySome(scope, tx));
      this.outbox.wake();
      replayed += step.replayed;
      isFull = step.found === REPLAYED_TOGETHER;
    }
    return replayed;
  }

  /** @returns how many letters there were of those that belong together, some of which may be gone by then */
  private async replaySome(scope: Scope, tx: Transaction): Promise<{ found: number; replayed: number }> {
    const uids = await this.letters.some(scope, REPLAYED_TOGETHER, tx);
    return { found: uids.length, replayed: await this.replayThose(scope, uids, tx) };
  }

  private async replayThose(scope: Scope, uids: readonly string[], tx: Transaction): Promise<number> {
    const { letters, dueSets } = await this.letters.replay(scope, uids, tx);
    await enqueueSets(this.outbox, dueSets, tx);
    return letters.length;
  }
}

const missing = (): Error =>
  notFound('dead_letter_not_found', 'There is no such dead letter; list them to see which there are.');
