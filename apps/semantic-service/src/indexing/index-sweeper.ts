import { type FeaturesReference, indexFeatures } from '@loci/contracts';
import { ConsumerRunner, semanticWorkerIndex } from '@loci/messaging';
import { Outbox, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../env.js';
import { IndexStateRepository, type WaitingFeatures } from './index-state.repository.js';

/** Features ordered in one sweep; the next sweep goes on. */
const SWEEP_LIMIT = 2_000;

/** Features named by one work order. */
const ORDER_SIZE = 64;

/**
 * Orders again what has waited for long: the order that should have brought it about may be lost with its stream, which
 * must only delay work. To order what is under way anyway does no harm: whoever comes second finds nothing left to do.
 */
@Injectable()
export class IndexSweeper {
  constructor(
    private readonly env: SemanticServiceEnv,
    private readonly state: IndexStateRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly runner: ConsumerRunner,
  ) {}

  async sweep(): Promise<void> {
    if ((await this.runner.pending(semanticWorkerIndex)) > 0) return;
    const ordered = await this.unitOfWork.run(async (tx) => {
      const waiting = await this.state.takeOverdue(this.env.SWEEP_PATIENCE_MS, SWEEP_LIMIT, tx);
      const orders = waiting.flatMap(inOrderSizes);
      for (const order of orders) await this.outbox.append(tx, indexFeatures, order);
      return orders.length;
    });
    if (ordered > 0) this.outbox.wake();
  }
}

function inOrderSizes({ setUid, uids }: WaitingFeatures): FeaturesReference[] {
  const orders: FeaturesReference[] = [];
  for (let start = 0; start < uids.length; start += ORDER_SIZE) {
    orders.push({ setUid, uids: uids.slice(start, start + ORDER_SIZE) });
  }
  return orders;
}
