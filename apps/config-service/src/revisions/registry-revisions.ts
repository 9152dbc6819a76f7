import { registryChanged } from '@loci/contracts';
import { entityManager, Outbox, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { RegistryRevisionEntity } from './registry-revision.entity.js';

/** The one row. */
const ROW = { isOnly: true };

/** Numbers the states of the registry. Changes happen one after the other, so a higher number is a later state. */
@Injectable()
export class RegistryRevisions {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Runs a change of the registry in a transaction that no other change overlaps.
   * @param work calls `advance` once it knows that something changes
   */
  async change<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = await this.unitOfWork.run(async (tx) => {
      await this.lock(tx);
      return work(tx);
    });
    this.outbox.wake();
    return result;
  }

  /** Makes every other change wait until this transaction ends. The first statement of a change, so that none deadlocks. */
  async lock(tx: Transaction): Promise<void> {
    await entityManager(tx).findOneOrFail(RegistryRevisionEntity, {
      where: ROW,
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Begins the next revision, and announces it with the transaction. @returns its number */
  async advance(tx: Transaction): Promise<number> {
    await this.lock(tx);
    await entityManager(tx).increment(RegistryRevisionEntity, ROW, 'revision', 1);
    const revision = await readRevision(entityManager(tx));
    await this.outbox.append(tx, registryChanged, { revision });
    return revision;
  }

  current(tx?: Transaction): Promise<number> {
    return tx ? readRevision(entityManager(tx)) : this.unitOfWork.single(readRevision);
  }
}

async function readRevision(manager: EntityManager): Promise<number> {
  const { revision } = await manager.findOneByOrFail(RegistryRevisionEntity, ROW);
  return Number(revision);
}
