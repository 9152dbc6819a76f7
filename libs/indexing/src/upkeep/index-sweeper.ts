import { type MessageType } from '@loci/contracts';
import { type ConsumerDeclaration, ConsumerRunner } from '@loci/messaging';
import { Outbox, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';

/** Rows taken in one sweep; the next sweep goes on. */
const SWEEP_LIMIT = 2_000;

/** Rows named by one work message. */
const ROWS_PER_MESSAGE = 64;

/** Names rows of one owner whose vectors are to be brought up to date. */
export interface IndexWork {
  readonly uids: readonly string[];
}

/** One kind of work message that may have to be repeated. */
export interface Sweep<Work extends IndexWork> {
  readonly type: MessageType<Work>;
  readonly consumer: ConsumerDeclaration;
  /** Takes what has waited longer than that, by owner; its waiting time starts again. */
  readonly take: (patienceMs: number, limit: number, tx: Transaction) => Promise<Work[]>;
}

/** What the sweeper of a service sweeps. Also the injection token. */
export abstract class Sweeps<Work extends IndexWork> {
  abstract readonly all: readonly Sweep<Work>[];
}

/**
 * Enqueues again what has waited for long: its message may be lost with its stream, which must only delay work. It
 * enqueues one batch of messages at a time. A message for rows that are being indexed anyway does no harm: the second
 * worker finds nothing left to do.
 */
@Injectable()
export class IndexSweeper<Work extends IndexWork> {
  constructor(
    private readonly env: VectorServiceEnv,
    private readonly sweeps: Sweeps<Work>,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly runner: ConsumerRunner,
  ) {}

  async sweep(): Promise<void> {
    for (const sweep of this.sweeps.all) {
      if ((await this.runner.pending(sweep.consumer)) === 0) await this.republish(sweep);
    }
  }

  private async republish({ type, take }: Sweep<Work>): Promise<void> {
    const ordered = await this.unitOfWork.run(async (tx) => {
      const messages = (await take(this.env.SWEEP_PATIENCE_MS, SWEEP_LIMIT, tx)).flatMap(inMessageSizes);
      for (const republish of messages) await this.outbox.append(tx, type, republish);
      return messages.length;
    });
    if (ordered > 0) this.outbox.wake();
  }
}

function inMessageSizes<Work extends IndexWork>(republish: Work): Work[] {
  const messages: Work[] = [];
  for (let start = 0; start < republish.uids.length; start += ROWS_PER_MESSAGE) {
    messages.push({ ...republish, uids: republish.uids.slice(start, start + ROWS_PER_MESSAGE) });
  }
  return messages;
}
