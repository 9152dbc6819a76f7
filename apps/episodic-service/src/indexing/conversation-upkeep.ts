import { type RowOf, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EpisodicServiceEnv } from '../env.js';
import { Conversations } from '../episodes/conversations.js';
import { SET_CONVERSATIONS } from './set-conversations.sql.js';
import { WITHOUT_CONVERSATION } from './without-conversation.sql.js';

/** Episodes of one run: it bounds a transaction, and what the table has to bear beside its adds. */
const BATCH = 2_000;

/**
 * Finds out the conversations of episodes that an older version stored, some at a time. Where the vector of one tells of a
 * turn of another conversation, it is made again, at the pace of the indexing.
 */
@Injectable()
export class ConversationUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(
    env: EpisodicServiceEnv,
    private readonly conversations: Conversations,
    private readonly unitOfWork: UnitOfWork,
    logger: Logger,
  ) {
    this.task = new PeriodicTask({
      name: 'finding out conversations',
      intervalMs: env.SWEEP_INTERVAL_MS,
      work: async () => (await this.work(BATCH)) > 0,
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** @param limit episodes at most @returns how many were done */
  work(limit: number): Promise<number> {
    return this.unitOfWork.run(async (tx) => {
      const scope = ROWS_OF_ALL;
      const rows = await this.unitOfWork.execute(WITHOUT_CONVERSATION, [limit], { tx, scope });
      if (rows.length === 0) return 0;
      const found = rows.map((row) => this.conversationOf(row));
      const columns = [
        found.map(({ uid }) => uid),
        found.map(({ conversation }) => conversation),
        found.map(({ isOutdated }) => isOutdated),
      ];
      await this.unitOfWork.execute(SET_CONVERSATIONS, columns, { tx, scope });
      return rows.length;
    });
  }

  private conversationOf(row: RowOf<typeof WITHOUT_CONVERSATION.row>): {
    readonly uid: string;
    readonly conversation: string;
    readonly isOutdated: boolean;
  } {
    const conversation = this.conversations.of({
      producerId: row.producer_id,
      producedForId: row.produced_for_id,
      metadata: row.metadata,
    });
    return {
      uid: row.uid,
      conversation,
      isOutdated: row.embedded_after !== null && this.previousOf(row) !== conversation,
    };
  }

  /** Of the turn of which the vector tells; undefined when it was deleted. */
  private previousOf({
    previous_producer_id: producerId,
    previous_produced_for_id: producedForId,
    previous_metadata: metadata,
  }: RowOf<typeof WITHOUT_CONVERSATION.row>): string | undefined {
    return producerId === null || producedForId === null || metadata === null
      ? undefined
      : this.conversations.of({ producerId, producedForId, metadata });
  }
}
