import { type MessageType } from '@loci/contracts';
import { type ConsumerDeclaration, ConsumerRunner } from '@loci/messaging';
import { Outbox, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { VectorServiceEnv } from '../environment/vector-service-env.js';

/** Rows ordered in one sweep; the next sweep goes on. */
const SWEEP_LIMIT = 2_000;

/** Rows named by one work order. */
const ORDER_SIZE = 64;

/** Names rows of one owner, for whoever is to bring their vectors in line. */
export interface IndexOrder {
  readonly uids: readonly string[];
}

/** One kind of work order that may have to be repeated. */
export interface Sweep<Order extends IndexOrder> {
  readonly type: MessageType<Order>;
  readonly consumer: ConsumerDeclaration;
  /** Takes what has waited longer than that, by owner; it counts as ordered now. */
  readonly take: (patienceMs: number, limit: number, tx: Transaction) => Promise<Order[]>;
}

/** What the sweeper of a service sweeps. Also the injection token. */
export abstract class Sweeps<Order extends IndexOrder> {
  abstract readonly all: readonly Sweep<Order>[];
}

/**
 * Orders again what has waited for long: the message that should have brought it about may be lost with its stream,
 * which must only delay work. One lot of orders at a time; to order what is under way anyway does no harm, since whoever
 * comes second finds nothing left to do.
 */
@Injectable()
export class IndexSweeper<Order extends IndexOrder> {
  constructor(
    private readonly env: VectorServiceEnv,
    private readonly sweeps: Sweeps<Order>,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly runner: ConsumerRunner,
  ) {}

  async sweep(): Promise<void> {
    for (const sweep of this.sweeps.all) {
      if ((await this.runner.pending(sweep.consumer)) === 0) await this.order(sweep);
    }
  }

  private async order({ type, take }: Sweep<Order>): Promise<void> {
    const ordered = await this.unitOfWork.run(async (tx) => {
      const orders = (await take(this.env.SWEEP_PATIENCE_MS, SWEEP_LIMIT, tx)).flatMap(inOrderSizes);
      for (const order of orders) await this.outbox.append(tx, type, order);
      return orders.length;
    });
    if (ordered > 0) this.outbox.wake();
  }
}

function inOrderSizes<Order extends IndexOrder>(order: Order): Order[] {
  const orders: Order[] = [];
  for (let start = 0; start < order.uids.length; start += ORDER_SIZE) {
    orders.push({ ...order, uids: order.uids.slice(start, start + ORDER_SIZE) });
  }
  return orders;
}
