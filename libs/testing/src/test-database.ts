import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A test looks at all rows, past row security. */
const EVERY_TENANT = '-c loci.scope=*';

const END_CONNECTIONS = `
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user`;

/** An empty database of one test file on the PostgreSQL of the integration tests, dropped at its end. */
export class TestDatabase {
  private constructor(
    private readonly adminUrl: string,
    private readonly name: string,
  ) {}

  /** @param adminUrl a role that may create databases */
  static async create(adminUrl = process.env['DATABASE_URL'] ?? ''): Promise<TestDatabase> {
    const database = new TestDatabase(adminUrl, `test_${randomBytes(6).toString('hex')}`);
    await database.run(adminUrl, `CREATE DATABASE ${database.name}`);
    return database;
  }

  get url(): string {
    const url = new URL(this.adminUrl);
    url.pathname = `/${this.name}`;
    return url.href;
  }

  /** One statement on a connection of its own. */
  query<Row extends pg.QueryResultRow>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.run(this.url, sql, parameters);
  }

  /** Ends connections that are still open; not `WITH (FORCE)`, which may not end an autovacuum worker and then fails. */
  async drop(): Promise<void> {
    await this.run(this.adminUrl, END_CONNECTIONS, [this.name]);
    await this.run(this.adminUrl, `DROP DATABASE ${this.name}`);
  }

  private async run<Row extends pg.QueryResultRow>(
    connectionString: string,
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> {
    const client = new pg.Client({ connectionString, options: EVERY_TENANT });
    await client.connect();
    try {
      return (await client.query<Row>(sql, [...parameters])).rows;
    } finally {
      await client.end();
    }
  }
}
