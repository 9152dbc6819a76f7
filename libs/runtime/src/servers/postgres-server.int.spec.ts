import { afterEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Bench, bench, eventually, isAlive, Leftovers } from '../../test/fixtures.js';
import { freePort } from '../free-ports.js';
import { findBinary, POSTGRES_BINARY } from './npm-binaries.js';
import { dataDirectory } from './postgres-cluster.js';
import { postgresServer, type PostgresServerOptions, postgresUrl } from './postgres-server.js';
import { NOBODY_REACHING_ALL, ROOT_SEEN_AS_NOBODY } from './postgres-user.js';
import { findStrays } from './stray-processes.js';

const SCHEMAS = ['config', 'episodic', 'semantic'] as const;

const leftovers = new Leftovers();
afterEach(() => leftovers.clear());

async function start(it: Bench, further: Partial<PostgresServerOptions> = {}): Promise<string> {
  const port = await freePort();
  const options = { ...it, port, durability: 'fast-for-tests' as const };
  await it.supervisor.start([await postgresServer({ ...options, ...further })]);
  return postgresUrl(port, it.credentials);
}

async function client(connectionString: string): Promise<pg.Client> {
  const connection = new pg.Client({ connectionString });
  connection.on('error', () => undefined);
  await connection.connect();
  leftovers.add(() => connection.end());
  return connection;
}

const postgresProcesses = async (it: Bench): Promise<number[]> =>
  findStrays({ program: await findBinary(POSTGRES_BINARY), cwd: dataDirectory(it.folder) });

test('rows survive SIGKILL of the postmaster, on the same port with the same password', async () => {
  const it = await bench(leftovers);
  const url = await start(it);
  await (await client(url)).query('CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n');
  process.kill(it.pidOf('postgres'), 'SIGKILL');
  await it.restarted('postgres');
  const { rows } = await (await client(url)).query('SELECT count(*)::int AS n FROM kept');
  expect(rows).toEqual([{ n: 1000 }]);
});

test('a postmaster that hangs is ended and brought back, with what was committed', async () => {
  const it = await bench(leftovers);
  const url = await start(it, { hangLimits: { everyMs: 20, answerWithinMs: 3_000, times: 2 } });
  await (await client(url)).query('CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n');
  process.kill(it.pidOf('postgres'), 'SIGSTOP');
  await it.restarted('postgres');
  const { rows } = await (await client(url)).query('SELECT count(*)::int AS n FROM kept');
  expect(rows).toEqual([{ n: 1000 }]);
});

test('a pid file of a killed postmaster, whose pid another process has by now, holds nothing up', async () => {
  const path = await leftovers.folder();
  const before = await bench(leftovers, path);
  await (
    await client(await start(before))
  ).query('CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n');
  const pidFile = join(dataDirectory(before.folder), 'postmaster.pid');
  const left = await readFile(pidFile, 'utf8');
  await before.supervisor.stop();
  before.folder.close();
  // as after a restart of the machine; not our own pid, since PostgreSQL takes that of its parent for none
  const other = spawn('sleep', ['60']);
  leftovers.add(() => other.kill());
  await writeFile(pidFile, left.replace(/^\d+/, String(other.pid)));
  const after = await bench(leftovers, path);
  const { rows } = await (await client(await start(after))).query('SELECT count(*)::int AS n FROM kept');
  expect(rows).toEqual([{ n: 1000 }]);
});

test('a backend that is busy when the postmaster is killed does not hold up the next one', async () => {
  const it = await bench(leftovers);
  const url = await start(it);
  const busy = (await client(url))
    .query('SELECT count(*) FROM generate_series(1, 100000000000) n')
    .catch(() => 'cut');
  const watcher = await client(url);
  await eventually('the query runs', async () => {
    const running = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series%' AND pid <> pg_backend_pid()`;
    return (await watcher.query(running)).rowCount || undefined;
  });
  process.kill(it.pidOf('postgres'), 'SIGKILL');
  await it.restarted('postgres');
  expect(await busy).toBe('cut');
  expect(it.events.filter(({ kind }) => kind === 'restart-failed')).toEqual([]);
});

test('the database is UTF-8 in UTC, and its role is no superuser', async () => {
  const it = await bench(leftovers);
  const connection = await client(await start(it));
  const { rows } = await connection.query(
    `SELECT current_user AS role, current_database() AS name, current_setting('server_encoding') AS encoding,
      current_setting('timezone') AS zone, upper('ä') AS upper, lower('Ω') AS lower,
      (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS super`,
  );
  expect(rows).toEqual([
    {
      role: 'loci_migrate',
      name: 'loci',
      encoding: 'UTF8',
      zone: 'UTC',
      upper: 'Ä',
      lower: 'ω',
      super: false,
    },
  ]);
  await connection.query('CREATE EXTENSION pg_trgm');
});

test('no connection without the password, which only the owner can read', async () => {
  const it = await bench(leftovers);
  const url = new URL(await start(it));
  url.password = 'guess';
  await expect(client(url.href)).rejects.toThrow('password authentication failed');
  for (const file of ['credentials.json', 'postgres/superuser-password']) {
    expect((await stat(join(it.folder.path, file))).mode & 0o777).toBe(0o600);
  }
});

test('a stop leaves no process, even with a client in a transaction', async () => {
  const it = await bench(leftovers);
  await (await client(await start(it))).query('BEGIN');
  const pid = it.pidOf('postgres');
  expect((await postgresProcesses(it)).length).toBeGreaterThan(1);
  await it.supervisor.stop();
  expect(isAlive(pid)).toBe(false);
  expect(await postgresProcesses(it)).toEqual([]);
});

test('a creation that was cut short is done again from the beginning', async () => {
  const it = await bench(leftovers);
  const aborted = new AbortController();
  const cut = postgresServer({
    ...it,
    port: await freePort(),
    durability: 'fast-for-tests',
    signal: aborted.signal,
  });
  const failed = expect(cut).rejects.toThrow();
  const unfinished = `${dataDirectory(it.folder)}.unfinished`;
  await eventually('it began', () => stat(join(unfinished, 'PG_VERSION')).catch(() => undefined));
  aborted.abort();
  await failed;
  await expect(stat(dataDirectory(it.folder))).rejects.toThrow('ENOENT');
  expect((await (await client(await start(it))).query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

const asRoot = process.getuid?.() === 0 ? describe : describe.skip;

asRoot('as root, below folders that only root can enter', () => {
  test.each([
    ['in a user namespace', ROOT_SEEN_AS_NOBODY],
    ['as `nobody` with the capability to reach everything', NOBODY_REACHING_ALL],
  ])('it runs %s', async (_, user) => {
    const it = await bench(leftovers);
    const { rows } = await (await client(await start(it, { user }))).query('SELECT 1 AS one');
    expect(rows).toEqual([{ one: 1 }]);
  });

  test('a folder that ran in one way runs in the other, both ways', async () => {
    const path = await leftovers.folder();
    for (const user of [ROOT_SEEN_AS_NOBODY, NOBODY_REACHING_ALL, ROOT_SEEN_AS_NOBODY]) {
      const it = await bench(leftovers, path);
      const connection = await client(await start(it, { user }));
      await connection.query(
        'CREATE TABLE IF NOT EXISTS starts (n serial); INSERT INTO starts DEFAULT VALUES',
      );
      await connection.end();
      await it.supervisor.stop();
      it.folder.close();
    }
    const last = await bench(leftovers, path);
    const { rows } = await (await client(await start(last))).query('SELECT max(n) AS starts FROM starts');
    expect(rows).toEqual([{ starts: 3 }]);
  });
});

test('a service reads and writes the rows of its own schema, and does nothing else', async () => {
  const it = await bench(leftovers);
  const owner = new URL(await start(it));
  const migration = await client(owner.href);
  for (const schema of SCHEMAS) {
    await migration.query(`CREATE TABLE ${schema}.notes (id serial, text text)`);
  }
  for (const [index, service] of SCHEMAS.entries()) {
    const other = SCHEMAS[(index + 1) % SCHEMAS.length] ?? service;
    const own = await client(postgresUrl(Number(owner.port), it.credentials, service));
    await own.query(`INSERT INTO ${service}.notes (text) VALUES ('mine')`);
    await own.query(`UPDATE ${service}.notes SET text = 'still mine'; DELETE FROM ${service}.notes`);
    for (const refused of [
      `SELECT * FROM ${other}.notes`,
      `INSERT INTO ${other}.notes (text) VALUES ('theirs')`,
      `TRUNCATE ${service}.notes`,
      `DROP TABLE ${service}.notes`,
      `CREATE TABLE ${service}.more (id int)`,
      `CREATE TABLE public.more (id int)`,
      `CREATE SCHEMA more`,
      `SET ROLE loci_migrate`,
      `SET ROLE loci_${other}`,
    ]) {
      await expect(own.query(refused)).rejects.toThrow(/permission denied|must be owner/);
    }
  }
});

async function stopped(it: Bench): Promise<void> {
  await it.supervisor.stop();
  it.folder.close();
}

test('a role that changed its own password and settings gets in again after the next start, as before', async () => {
  const path = await leftovers.folder();
  const it = await bench(leftovers, path);
  const urls = (port: string): string[] =>
    SCHEMAS.map((service) => postgresUrl(Number(port), it.credentials, service));
  for (const url of urls(new URL(await start(it)).port)) {
    const role = await client(url);
    await role.query(`ALTER ROLE CURRENT_USER PASSWORD 'its own'`);
    await role.query('ALTER ROLE CURRENT_USER SET default_transaction_read_only = on');
    await role.query('ALTER ROLE CURRENT_USER IN DATABASE loci SET statement_timeout = 1');
    await expect(client(url)).rejects.toThrow('password authentication failed');
  }
  await stopped(it);
  const next = await bench(leftovers, path);
  for (const url of urls(new URL(await start(next)).port)) {
    const { rows } = await (
      await client(url)
    ).query(`SELECT current_setting('default_transaction_read_only') AS read_only,
                    current_setting('statement_timeout') AS timeout`);
    expect(rows).toEqual([{ read_only: 'off', timeout: '10s' }]);
  }
});

describe('a data folder in which one role owned everything', () => {
  /** As the version before made it. */
  async function formerFolder(): Promise<string> {
    const path = await leftovers.folder();
    const it = await bench(leftovers, path);
    const { port } = new URL(await start(it));
    const superuserPassword = await readFile(join(it.folder.part('postgres'), 'superuser-password'), 'utf8');
    const at = (role: string, password: string): string =>
      `postgres://${role}:${password}@127.0.0.1:${port}/loci`;
    const superuser = await client(at('postgres', superuserPassword.trim()));
    await superuser.query(`
      DROP SCHEMA config; DROP SCHEMA episodic; DROP SCHEMA semantic;
      CREATE ROLE loci LOGIN CREATEDB PASSWORD 'former'; ALTER DATABASE loci OWNER TO loci;
      GRANT ALL ON SCHEMA public TO PUBLIC;
      DROP OWNED BY loci_migrate, loci_config, loci_episodic, loci_semantic;
      DROP ROLE loci_migrate, loci_config, loci_episodic, loci_semantic`);
    const former = await client(at('loci', 'former'));
    await former.query(`
      CREATE SCHEMA config; CREATE TABLE config.projects (id serial, name text);
      INSERT INTO config.projects (name) VALUES ('kept')`);
    await former.end();
    await superuser.end();
    await stopped(it);
    await rm(join(path, 'credentials.json'));
    await writeFile(join(path, 'postgres', 'password'), 'former\n');
    const version = JSON.parse(await readFile(join(path, 'version.json'), 'utf8')) as object;
    await writeFile(join(path, 'version.json'), JSON.stringify({ ...version, format: 2 }));
    return path;
  }

  test('is handed over to the roles of today, with what is in it, and takes new passwords', async () => {
    const path = await formerFolder();
    const it = await bench(leftovers, path);
    const url = new URL(await start(it));
    const service = await client(postgresUrl(Number(url.port), it.credentials, 'config'));
    await service.query(`INSERT INTO config.projects (name) VALUES ('added')`);
    expect((await service.query('SELECT name FROM config.projects ORDER BY id')).rows).toEqual([
      { name: 'kept' },
      { name: 'added' },
    ]);
    const migration = await client(url.href);
    await migration.query(
      'ALTER TABLE config.projects ADD COLUMN more text; CREATE TABLE config.later (id int)',
    );
    await service.query('SELECT more FROM config.projects; SELECT * FROM config.later');
    const { rows } = await migration.query(
      `SELECT rolname FROM pg_roles WHERE rolname LIKE 'loci%' ORDER BY rolname`,
    );
    expect(rows.map((row: { rolname: string }) => row.rolname)).toEqual([
      'loci_config',
      'loci_episodic',
      'loci_migrate',
      'loci_semantic',
    ]);
    const former = new URL(url);
    former.username = 'loci';
    former.password = 'former';
    await expect(client(former.href)).rejects.toThrow('password authentication failed');
    expect(await readFile(join(path, 'version.json'), 'utf8')).toContain('"format": 3');
    await stopped(it);
    await rm(join(path, 'credentials.json'));
    const later = await bench(leftovers, path);
    expect(later.credentials).not.toEqual(it.credentials);
    expect((await (await client(await start(later))).query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});
