import { type MessageType } from '@loci/contracts';
import { type ConsumerDeclaration, ConsumerRunner } from '@loci/messaging';
import { DeadLetters, Outbox, type Transaction, UnitOfWork } from '@loci/persistence';
import { inParts } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { roomIn } from './queue-room.js';

/** Rows taken in one transaction, at most. */
const SWEEP_LIMIT = 2_000;

/** Rows named by one work message: a batch of such messages must not keep others waiting for long. */
const ROWS_PER_MESSAGE = 8;

/** Names rows of one owner whose vectors are to be brought up to date. */
export interface IndexWork {
  readonly uids: readonly string[];
}

/** One kind of work message that may have to be repeated. */
export interface Sweep<Work extends IndexWork> {
  readonly type: MessageType<Work>;
  readonly consumer: ConsumerDeclaration;
  /** Other consumers that do the same to rows that their messages name. */
  readonly others?: readonly ConsumerDeclaration[];
  /** Takes what has waited longer than that, by owner; its waiting time starts again. */
  readonly take: (patienceMs: number, limit: number, tx: Transaction) => Promise<Work[]>;
}

/** Rows of messages that ended their process and were set aside. */
export interface SetAside {
  readonly all: ReadonlySet<string>;
  /** Those that a message named alone. */
  readonly deadly: ReadonlySet<string>;
}

/** What one transaction took, and how many messages name it. */
interface Ordered {
  readonly rows: number;
  readonly messages: number;
}

/** What the sweeper of a service sweeps. Also the injection token. */
export abstract class Sweeps<Work extends IndexWork> {
  abstract readonly all: readonly Sweep<Work>[];
}

/**
 * Enqueues what has waited for long: its message may be lost with its stream, which must only delay work, or the
 * queue had no room for one. It enqueues about as much as there is room for. A message for rows that are being indexed
 * anyway does no harm: the second worker finds nothing left to do. Rows of a message that ended its process and was set
 * aside come one by one, so that only those that end it again are set aside; these are left alone until their dead
 * letter is replayed or dropped.
 */
@Injectable()
export class IndexSweeper<Work extends IndexWork> {
  constructor(
    private readonly env: VectorServiceEnv,
    private readonly sweeps: Sweeps<Work>,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly runner: ConsumerRunner,
    private readonly deadLetters: DeadLetters,
  ) {}

  /**
   * @param signal ends it between two transactions
   * @returns whether anything has waited for long
   */
  async sweep(signal: AbortSignal): Promise<boolean> {
    let isAny = false;
    for (const sweep of this.sweeps.all) {
      if (signal.aborted) break;
      isAny = (await this.fill(sweep, signal)) || isAny;
    }
    return isAny;
  }

  private async fill(sweep: Sweep<Work>, signal: AbortSignal): Promise<boolean> {
    let room = await roomIn(this.runner, sweep.consumer);
    if (room === 0) return true;
    const setAside = await this.setAside(sweep);
    let isAny = false;
    let areMore = true;
    while (areMore && room > 0 && !signal.aborted) {
      const limit = Math.min(SWEEP_LIMIT, room * ROWS_PER_MESSAGE);
      const { rows, messages } = await this.republish(sweep, setAside, limit);
      isAny ||= rows > 0;
      areMore = rows === limit;
      // none where all of its rows were set aside
      room -= Math.max(1, messages);
    }
    return isAny;
  }

  private async setAside({ consumer, others = [] }: Sweep<Work>): Promise<SetAside> {
    const letters = await this.deadLetters.setAside([consumer, ...others].map(({ name }) => name));
    return setAsideBy(letters.map(({ payload }) => uidsIn(payload)));
  }

  private async republish({ type, take }: Sweep<Work>, setAside: SetAside, limit: number): Promise<Ordered> {
    const ordered = await this.unitOfWork.run(async (tx) => {
      const overdue = await take(this.env.SWEEP_PATIENCE_MS, limit, tx);
      const messages = overdue.flatMap((work) => messagesOf(work, setAside));
      await this.outbox.appendAll(tx, type, messages);
      return { rows: overdue.flatMap(({ uids }) => uids).length, messages: messages.length };
    });
    if (ordered.messages > 0) this.outbox.wake();
    return ordered;
  }
}

/** @param messages the rows that each of them named */
export const setAsideBy = (messages: readonly (readonly string[])[]): SetAside => ({
  all: new Set(messages.flat()),
  deadly: new Set(messages.flatMap((uids) => (uids.length === 1 ? uids : []))),
});

/** Messages that name all rows of the work, but for those that are to be left alone. */
export function messagesOf<Work extends IndexWork>(work: Work, setAside: SetAside): Work[] {
  const { all, deadly } = setAside;
  const naming = (uids: readonly string[]): Work => ({ ...work, uids });
  const alone = work.uids.filter((uid) => all.has(uid) && !deadly.has(uid)).map((uid) => naming([uid]));
  const others = work.uids.filter((uid) => !all.has(uid));
  return [...inParts(others, ROWS_PER_MESSAGE).map(naming), ...alone];
}

/** The rows that a message named; it was read before it was handled. */
function uidsIn(payload: string): readonly string[] {
  const body: unknown = JSON.parse(payload);
  const uids = typeof body === 'object' && body !== null && 'uids' in body ? body.uids : [];
  return Array.isArray(uids) ? uids.map(String) : [];
}
