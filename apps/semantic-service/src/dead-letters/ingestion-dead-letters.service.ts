import { ingestSet, notFound } from '@loci/contracts';
import { Outbox, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import {
  type IngestionDeadLetter,
  IngestionDeadLettersRepository,
  type LetterOwner,
  type LetterPage,
} from './ingestion-dead-letters.repository.js';

@Injectable()
export class IngestionDeadLettersService {
  constructor(
    private readonly letters: IngestionDeadLettersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  list(owner: LetterOwner, page: LetterPage): Promise<{ letters: IngestionDeadLetter[]; total: number }> {
    return this.letters.list(owner, page);
  }

  /** @throws AppError `dead_letter_not_found` */
  async get(owner: LetterOwner, uid: string): Promise<IngestionDeadLetter> {
    const letter = isUuid(uid) ? await this.letters.find(owner, uid) : undefined;
    if (!letter) throw missing();
    return letter;
  }

  /** Has the messages of one letter ingested again. @throws AppError `dead_letter_not_found` */
  async replay(owner: LetterOwner, uid: string): Promise<void> {
    const replayed = isUuid(uid) ? await this.replayThose(owner, [uid]) : 0;
    if (replayed === 0) throw missing();
  }

  /** @returns how many letters were replayed */
  replayAll(owner: LetterOwner): Promise<number> {
    return this.replayThose(owner, undefined);
  }

  /** @throws AppError `dead_letter_not_found` */
  async drop(owner: LetterOwner, uid: string): Promise<void> {
    if (!isUuid(uid) || !(await this.letters.drop(owner, uid))) throw missing();
  }

  private async replayThose(owner: LetterOwner, uids: readonly string[] | undefined): Promise<number> {
    const { letters } = await this.unitOfWork.run(async (tx) => {
      const replayed = await this.letters.replay(owner, uids, tx);
      for (const setUid of replayed.dueSets) await this.outbox.append(tx, ingestSet, { setUid });
      return replayed;
    });
    if (letters.length > 0) this.outbox.wake();
    return letters.length;
  }
}

const missing = (): Error =>
  notFound('dead_letter_not_found', 'There is no such dead letter; list them to see which there are.');
