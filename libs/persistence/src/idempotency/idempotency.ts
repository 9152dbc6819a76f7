import { conflict, type IdempotencyToken } from '@loci/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { PERSISTENCE_OPTIONS, type PersistenceOptions } from '../database/persistence-options.js';
import { entityManager, type Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { TRY_LOCK_NAME } from '../locks/try-lock-name.sql.js';
import { scopedManager } from '../database/connection-scope.js';
import { ROWS_OF_ALL, type RowScope, rowsOf } from '../statements/row-scope.js';
import { execute } from '../statements/execute.js';
import { findAnswer } from './find-answer.sql.js';
import { IdempotencyEntity } from './idempotency.entity.js';
import { rememberAnswer } from './remember-answer.sql.js';

/** Within what a key is unique. */
export interface IdempotencyScope {
  /** Empty for what is about the whole deployment. */
  readonly tenant: string;
  readonly operation: string;
}

interface Stored {
  readonly fingerprint: string;
  readonly response: unknown;
}

/** Makes writes repeatable: the same key gives the same answer, and the work is done once. */
@Injectable()
export class Idempotency {
  private readonly findAnswer: ReturnType<typeof findAnswer>;
  private readonly rememberAnswer: ReturnType<typeof rememberAnswer>;

  constructor(
    @Inject(PERSISTENCE_OPTIONS) private readonly options: PersistenceOptions,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.findAnswer = findAnswer(options.schema);
    this.rememberAnswer = rememberAnswer(options.schema);
  }

  /**
   * Runs work in a transaction that also remembers its result for 24 hours, whichever replica asks. Work that fails
   * leaves nothing, so the client may try again. Without a token it is just a transaction.
   * @param work its result must survive JSON
   * @throws AppError `idempotency_key_reused` when the key came with another body, `idempotency_key_in_flight` while
   * the first request with the key is still being worked on; and whatever the work throws
   */
  run<Result>(
    scope: IdempotencyScope,
    token: IdempotencyToken | undefined,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    if (!token) return this.unitOfWork.run(work);
    return this.unitOfWork.run(async (tx) => {
      const rows = rowsOfScope(scope);
      await this.lock(entityManager(tx), scope, token);
      const stored = await this.find(await scopedManager(tx, rows), scope, token);
      if (stored) return answerAgain(stored, token) as Result;
      const result = await work(tx);
      await this.remember(await scopedManager(tx, rows), scope, token, result);
      return result;
    });
  }

  /**
   * As `run`, for work that has to be prepared outside of its transaction. The key is looked at first: a repetition gets
   * its answer also when what the preparation needs is gone by then.
   * @param prepare may ask other services; what it throws is thrown
   */
  async runPrepared<Prepared, Result>(
    scope: IdempotencyScope,
    token: IdempotencyToken | undefined,
    prepare: () => Promise<Prepared>,
    work: (tx: Transaction, prepared: Prepared) => Promise<Result>,
  ): Promise<Result> {
    const stored =
      token &&
      (await this.unitOfWork.single((manager) => this.find(manager, scope, token), rowsOfScope(scope)));
    if (stored) return answerAgain(stored, token) as Result;
    const prepared = await prepare();
    return this.run(scope, token, (tx) => work(tx, prepared));
  }

  /** Forgets the answers given to a tenant that ends with this transaction: its successor of the same name starts again. */
  async forget(tenant: string, tx: Transaction): Promise<void> {
    const manager = await scopedManager(tx, rowsOf(tenant));
    await manager.delete(IdempotencyEntity, { tenant });
  }

  /** The lock ends with the transaction, however that ends: a crash leaves nothing behind. */
  private async lock(
    manager: EntityManager,
    { tenant, operation }: IdempotencyScope,
    { key }: IdempotencyToken,
  ): Promise<void> {
    const name = JSON.stringify([this.options.schema, tenant, operation, key]);
    const [row] = await execute(manager, TRY_LOCK_NAME, [name, 0]);
    if (row?.locked) return;
    throw conflict(
      'idempotency_key_in_flight',
      'A request with this Idempotency-Key is still being worked on; try again in a second.',
      { retryAfterSeconds: 1 },
    );
  }

  /** A statement of its own, so that it sees what was committed before the lock was ours. */
  private async find(
    manager: EntityManager,
    { tenant, operation }: IdempotencyScope,
    { key }: IdempotencyToken,
  ): Promise<Stored | undefined> {
    const [row] = await execute(manager, this.findAnswer, [tenant, operation, key]);
    return row;
  }

  private async remember(
    manager: EntityManager,
    { tenant, operation }: IdempotencyScope,
    { key, fingerprint }: IdempotencyToken,
    result: unknown,
  ): Promise<void> {
    const response = JSON.stringify(result ?? null);
    await execute(manager, this.rememberAnswer, [tenant, operation, key, fingerprint, response]);
  }
}

/** What belongs to the deployment has no tenant. */
const rowsOfScope = ({ tenant }: IdempotencyScope): RowScope =>
  tenant === '' ? ROWS_OF_ALL : rowsOf(tenant);

function answerAgain({ fingerprint, response }: Stored, token: IdempotencyToken): unknown {
  if (fingerprint === token.fingerprint) return response;
  throw conflict(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another request; use a new key for a new request.',
  );
}
