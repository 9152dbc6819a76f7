import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, OrganizationTurns } from '@loci/platform';
import { type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dataSourceOptions, DEFAULT_POOL_SIZE, POOL_WAIT_MS } from './data-source-options.js';
import { isOutage } from '../statements/database-failure.js';
import { DatabaseUnreachableError } from './database-unreachable.error.js';
import { type PersistenceOptions } from './persistence-options.js';
import { type SchemaMigrations } from '../migrations/migrations-options.js';
import { missingMigrations } from '../migrations/missing-migrations.js';
import { SchemaOutdatedError } from '../migrations/schema-outdated.error.js';
import { warnIfAboveRowSecurity } from '../row-security/warn-if-above.js';
import { type Client } from '../statements/client.js';

const START_TIMEOUT_MS = 10_000;
const START_RETRY_MS = 250;
/** How much of the connections for requests those of one organization may have. */
const CONNECTION_SHARE = 0.8;

/**
 * Connections that requests of organizations leave to work that is not counted as one's, such as adds that share a
 * statement: they would wait behind slow statements in the pool, and make others wait there, who have a turn.
 */
const UNCOUNTED = 2;

/** Connections for requests of organizations: three quarters of a small pool. */
const forRequests = (poolSize: number): number => poolSize - Math.min(UNCOUNTED, Math.floor(poolSize / 4));

/** The connections of a process to PostgreSQL. */
export class Database implements OnApplicationShutdown {
  private constructor(
    readonly dataSource: DataSource,
    readonly turns: OrganizationTurns,
  ) {}

  /**
   * Connects, trying for a while because a server may start a moment after us.
   * @param startTimeoutMs how long to try
   * @throws DatabaseUnreachableError
   */
  static async connect(
    options: PersistenceOptions,
    logger: Logger,
    startTimeoutMs = START_TIMEOUT_MS,
  ): Promise<Database> {
    const giveUpAt = performance.now() + startTimeoutMs;
    for (;;) {
      try {
        const dataSource = await new DataSource(dataSourceOptions(options, logger)).initialize();
        await warnIfAboveRowSecurity(dataSource, logger);
        return new Database(
          dataSource,
          new OrganizationTurns({
            total: forRequests(options.poolSize ?? DEFAULT_POOL_SIZE),
            share: CONNECTION_SHARE,
            waitMs: options.connectionWaitMs ?? POOL_WAIT_MS,
          }),
        );
      } catch (error) {
        const mayPass = isOutage(error) && performance.now() + START_RETRY_MS < giveUpAt;
        if (!mayPass) throw new DatabaseUnreachableError(options.url, error);
        await sleep(START_RETRY_MS);
      }
    }
  }

  /**
   * Waits until the schema is what this version needs: another process applies the migrations.
   * @throws SchemaOutdatedError
   */
  async waitForMigrations(expected: SchemaMigrations, timeoutMs = START_TIMEOUT_MS): Promise<void> {
    const giveUpAt = performance.now() + timeoutMs;
    for (;;) {
      const missing = await this.missing(expected);
      if (missing.length === 0) return;
      if (performance.now() + START_RETRY_MS >= giveUpAt)
        throw new SchemaOutdatedError(expected.schema, missing);
      await sleep(START_RETRY_MS);
    }
  }

  /** Whether a statement can be executed at this moment. */
  async answers(): Promise<boolean> {
    await this.dataSource.query('SELECT 1');
    return true;
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Lets running statements end, then disconnects. */
  async close(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  private async missing(expected: SchemaMigrations): Promise<string[]> {
    const runner = this.dataSource.createQueryRunner();
    try {
      return await missingMigrations((await runner.connect()) as Client, expected);
    } finally {
      await runner.release();
    }
  }
}
