import { AppError } from '@loci/contracts';
import { isRefusal, type MessagePublisher } from '@loci/messaging';
import { type Logger } from '@loci/platform';
import { entityManager } from '../database/transaction.js';
import { type UnitOfWork } from '../database/unit-of-work.js';
import { execute } from '../statements/execute.js';
import { type RowOf } from '../statements/row-columns.js';
import { markMessagesSent } from './mark-messages-sent.sql.js';
import { takeUnsentMessages } from './take-unsent-messages.sql.js';

type Row = RowOf<ReturnType<typeof takeUnsentMessages>['row']>;

export interface BatchResult {
  readonly taken: number;
  /** How many of them the store of messages confirmed. */
  readonly sent: number;
  /** Subjects of those that their stream refused. */
  readonly refused: readonly string[];
  /** How many were neither confirmed nor refused: the store of messages was not reached. */
  readonly unanswered: number;
}

/** Moves waiting messages from the table to the stream, a batch at a time. */
export class OutboxBatch {
  private readonly take: ReturnType<typeof takeUnsentMessages>;
  private readonly mark: ReturnType<typeof markMessagesSent>;

  constructor(
    schema: string,
    private readonly unitOfWork: UnitOfWork,
    private readonly publisher: Pick<MessagePublisher, 'send'>,
    private readonly logger: Logger,
  ) {
    this.take = takeUnsentMessages(schema);
    this.mark = markMessagesSent(schema);
  }

  /**
   * Sends the oldest messages that no other relay is sending. They are marked after the confirmation: a crash in
   * between sends them again under the same id, and the stream keeps one.
   * @param except subjects of which none are sent
   */
  relay(size: number, except: readonly string[] = []): Promise<BatchResult> {
    return this.unitOfWork.run(async (tx) => {
      const manager = entityManager(tx);
      const rows = await execute(manager, this.take, [size, except]);
      const { confirmed, refused } = await this.publish(rows);
      if (confirmed.length > 0) await execute(manager, this.mark, [confirmed]);
      return {
        taken: rows.length,
        sent: confirmed.length,
        refused: [...new Set(refused)],
        unanswered: rows.length - confirmed.length - refused.length,
      };
    });
  }

  private async publish(
    rows: readonly Row[],
  ): Promise<{ readonly confirmed: string[]; readonly refused: string[] }> {
    const results = await Promise.allSettled(
      rows.map(({ id, subject, payload: body, headers }) =>
        this.publisher.send({ id, subject, body, headers }),
      ),
    );
    const failures = results.filter((result) => result.status === 'rejected');
    for (const { reason } of failures.slice(0, 1)) this.report(reason, failures.length);
    return {
      confirmed: rows.flatMap(({ id }, index) => (results[index]?.status === 'fulfilled' ? [id] : [])),
      refused: rows.flatMap(({ subject }, index) => {
        const result = results[index];
        return result?.status === 'rejected' && isRefusal(result.reason) ? [subject] : [];
      }),
    };
  }

  private report(error: unknown, count: number): void {
    const passes = error instanceof AppError && error.kind === 'unavailable';
    this.logger[passes ? 'warn' : 'error']('messages stay in the outbox', { count, error });
  }
}
