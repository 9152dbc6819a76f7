import { freePort } from '@loci/runtime';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import pg from 'pg';

/** Of the Debian package `pgbouncer`, where that is 1.21 or newer. Another one than that of PATH: the variable PGBOUNCER. */
const PGBOUNCER = process.env['PGBOUNCER'] ?? 'pgbouncer';

/** Which version of PgBouncer keeps prepared statements, although transactions share connections. */
const PREPARING = [1, 21] as const;

/** Who PgBouncer runs as when the tests are root, which it refuses. */
const UNPRIVILEGED = 65_534;

/** PgBouncer in front of a PostgreSQL: it gives a connection of the server to another client after each transaction. */
export class PgBouncer {
  private constructor(
    /** For the database of the server's URL, and every other one when its name is replaced. */
    readonly url: string,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  /** Whether the machine has one that is new enough. */
  static isThere(): boolean {
    const { error, stdout } = spawnSync(PGBOUNCER, ['--version'], { encoding: 'utf8' });
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(error ? '' : stdout) ?? [];
    return Number(major) > PREPARING[0] || (Number(major) === PREPARING[0] && Number(minor) >= PREPARING[1]);
  }

  /**
   * @param serverUrl of PostgreSQL, with a password
   * @param connections to the server, at most, of each database and role
   */
  static async start(serverUrl: string, connections: number): Promise<PgBouncer> {
    const server = new URL(serverUrl);
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'loci-pgbouncer-'));
    const users = join(folder, 'users.txt');
    const configuration = join(folder, 'pgbouncer.ini');
    await writeFile(users, `"${server.username}" "${server.password}"\n`);
    await writeFile(
      configuration,
      [
        '[databases]',
        `* = host=${server.hostname} port=${server.port}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
        'unix_socket_dir =',
        'auth_type = plain',
        `auth_file = ${users}`,
        'pool_mode = transaction',
        `default_pool_size = ${connections}`,
        'max_client_conn = 1000',
        'max_prepared_statements = 200',
        'ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout',
      ].join('\n'),
    );
    await chmod(folder, 0o755);
    const isRoot = process.getuid?.() === 0;
    const child = spawn(PGBOUNCER, ['--quiet', configuration], {
      stdio: 'ignore',
      ...(isRoot && { uid: UNPRIVILEGED, gid: UNPRIVILEGED }),
    });
    server.port = String(port);
    server.hostname = '127.0.0.1';
    const pooler = new PgBouncer(server.href, folder, child);
    await eventually(() => answers(server.href), { what: 'PgBouncer answers' });
    return pooler;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.kill('SIGINT')) await once(this.child, 'exit');
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.end();
  return true;
}
