import { type EntityManager } from 'typeorm';

declare const transaction: unique symbol;

/** A running transaction. Use cases pass it on; only adapters look inside, with `entityManager`. */
export interface Transaction {
  readonly [transaction]: true;
}

/** What works inside a transaction: for adapters. */
export const entityManager = (tx: Transaction): EntityManager => tx as unknown as EntityManager;

export const transactionOf = (manager: EntityManager): Transaction => manager as unknown as Transaction;
