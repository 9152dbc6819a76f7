import { type EpisodesReference, indexEpisodes, type MessageType, purgeEpisodes } from '@loci/contracts';
import {
  type ConsumerDeclaration,
  ConsumerRunner,
  episodicWorkerPurge,
  episodicWorkerReindex,
} from '@loci/messaging';
import { Outbox, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type WaitingEpisodes } from '../episodes/episodes.repository.js';
import { EpisodicServiceEnv } from '../env.js';
import { IndexStateRepository } from './index-state.repository.js';

/** Episodes ordered in one sweep; the next sweep goes on. */
const SWEEP_LIMIT = 2_000;

/** Episodes named by one work order. */
const ORDER_SIZE = 64;

/**
 * Orders again what has waited for long: the message that should have brought it about may be lost with its stream,
 * which must only delay work. One lot of orders at a time; to order what is under way anyway does no harm, since whoever
 * comes second finds nothing left to do.
 */
@Injectable()
export class IndexSweeper {
  constructor(
    private readonly env: EpisodicServiceEnv,
    private readonly state: IndexStateRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly runner: ConsumerRunner,
  ) {}

  async sweep(): Promise<void> {
    const { SWEEP_PATIENCE_MS: patienceMs } = this.env;
    if (await this.isIdle(episodicWorkerReindex)) {
      await this.order(indexEpisodes, (tx) => this.state.takeOverdue(patienceMs, SWEEP_LIMIT, tx));
    }
    if (await this.isIdle(episodicWorkerPurge)) {
      await this.order(purgeEpisodes, (tx) => this.state.takeOverdueTombstones(patienceMs, SWEEP_LIMIT, tx));
    }
  }

  private async isIdle(consumer: ConsumerDeclaration): Promise<boolean> {
    return (await this.runner.pending(consumer)) === 0;
  }

  private async order(
    type: MessageType<EpisodesReference>,
    take: (tx: Transaction) => Promise<WaitingEpisodes[]>,
  ): Promise<void> {
    const ordered = await this.unitOfWork.run(async (tx) => {
      const orders = (await take(tx)).flatMap(inOrderSizes);
      for (const order of orders) await this.outbox.append(tx, type, order);
      return orders.length;
    });
    if (ordered > 0) this.outbox.wake();
  }
}

function inOrderSizes({ uids, ...reference }: WaitingEpisodes): EpisodesReference[] {
  const orders: EpisodesReference[] = [];
  for (let start = 0; start < uids.length; start += ORDER_SIZE) {
    orders.push({ ...reference, uids: uids.slice(start, start + ORDER_SIZE) });
  }
  return orders;
}
