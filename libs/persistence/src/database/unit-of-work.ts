import { setTimeout as sleep } from 'node:timers/promises';
import { inChildSpan, RequestContext, SpanKind } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { databaseFailure, isConflict } from '../statements/database-failure.js';
import { Database } from './database.js';
import { scopedManager } from './connection-scope.js';
import { NO_TENANT, type RowScope } from '../statements/row-scope.js';
import { clientOf } from '../statements/client.js';
import { execute, executeOn } from '../statements/execute.js';
import { type RowColumns, type RowOf } from '../statements/row-columns.js';
import { type SqlStatement } from '../statements/sql-statement.js';
import { entityManager, type Transaction, transactionOf } from './transaction.js';

export interface TransactionOptions {
  /** READ COMMITTED when absent. */
  readonly isolation?: 'REPEATABLE READ' | 'SERIALIZABLE';
  /** Whose rows it sees from its beginning; none when absent. */
  readonly scope?: RowScope;
}

const MAX_RETRIES = 3;
const RETRY_WITHIN_MS = 50;

/** The way to the database. Outages come out as AppError `database_unavailable`, time-outs as `deadline_exceeded`. */
@Injectable()
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  /**
   * Runs work in a transaction: committed when it returns, undone when it throws. Of tables with row security it sees
   * the rows of `options.scope`, until `scopedManager` says otherwise. Work that lost a
   * deadlock or a serialization conflict is run again, so it must do nothing that a rollback does not undo.
   */
  run<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return traced('transaction', () => this.withRetries(() => this.transact(work, options)));
  }

  /**
   * Runs one statement of TypeORM, or reads that need no common snapshot: one round trip without a scope, three with one,
   * because they are a transaction then.
   * @param work for adapters; a statement that changes something is atomic by itself
   * @param scope whose rows it sees of tables with row security
   */
  single<T>(work: (manager: EntityManager) => Promise<T>, scope: RowScope = NO_TENANT): Promise<T> {
    return traced('statement', () =>
      this.withRetries(() =>
        scope === NO_TENANT
          ? this.connected(work)
          : this.transact(async (tx) => work(await scopedManager(tx, scope))),
      ),
    );
  }

  /**
   * Runs a statement written by hand, in one round trip.
   * @param options.tx the transaction to run in
   * @param options.scope whose rows it sees of tables with row security; none when absent, in a transaction those that
   * the transaction sees
   */
  execute<Columns extends RowColumns>(
    statement: SqlStatement<Columns>,
    parameters: readonly unknown[] = [],
    { tx, scope }: { readonly tx?: Transaction | undefined; readonly scope?: RowScope | undefined } = {},
  ): Promise<RowOf<Columns>[]> {
    return traced(statement.name ?? 'statement', async () => {
      if (tx) {
        const manager = scope === undefined ? entityManager(tx) : await scopedManager(tx, scope);
        return execute(manager, statement, parameters);
      }
      return this.withRetries(() =>
        this.connected(async (manager) => executeOn(await clientOf(manager), statement, parameters, scope)),
      );
    });
  }

  private async connected<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const giveBack = await this.takeTurn();
    const runner = this.database.dataSource.createQueryRunner();
    try {
      return await work(runner.manager);
    } finally {
      await runner.release();
      giveBack();
    }
  }

  private async withRetries<T>(attempt: () => Promise<T>): Promise<T> {
    for (let retries = 0; ; retries += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!isConflict(error) || retries === MAX_RETRIES) throw databaseFailure(error);
        await sleep(Math.random() * RETRY_WITHIN_MS * 2 ** retries);
      }
    }
  }

  private async transact<T>(
    work: (tx: Transaction) => Promise<T>,
    { isolation, scope }: TransactionOptions = {},
  ): Promise<T> {
    const giveBack = await this.takeTurn();
    const runner = this.database.dataSource.createQueryRunner();
    try {
      await runner.startTransaction(isolation);
      const tx = transactionOf(runner.manager);
      if (scope !== undefined) await scopedManager(tx, scope);
      const result = await work(tx);
      await runner.commitTransaction();
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
      giveBack();
    }
  }

  private takeTurn(): Promise<() => void> {
    return this.database.turns.take(RequestContext.current()?.orgId);
  }
}

const traced = <T>(what: string, work: () => Promise<T>): Promise<T> =>
  inChildSpan(
    `postgresql ${what}`,
    { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql', 'db.operation.name': what } },
    work,
  );
