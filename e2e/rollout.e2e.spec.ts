import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Fleet } from '@loci/testing';
import { withDatabase } from './harness/database.js';
import { PROCESS_TABLE } from '../apps/standalone/src/process-table.js';
import { baseName, metricsIn, OF_OTHERS, queries } from '../tools/deployment/queries.js';
import { Client } from './harness/client.js';

/** A third of Kubernetes' grace period: the rest is for a machine that is busy. */
const MAX_DRAIN_MS = 10_000;
const CLIENTS = 2;
/** A test replaces one replica of each process; the drill, as a rolling update, all. */
const isDrill = process.env['DRILL'] === 'all';
const PROJECT = { org_id: 'acme', project_id: 'rollout' };

let fleet: Fleet;

beforeAll(async () => {
  fleet = await Fleet.start({ table: PROCESS_TABLE });
});

afterAll(() => fleet.destroy());

/** Adds and searches without a pause until it is told to stop; each request may meet another gateway. */
class Traffic {
  readonly stored: string[] = [];
  readonly failures: unknown[] = [];
  private isOver = false;
  private readonly running = Array.from({ length: CLIENTS }, (_, client) => this.run(client));

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
  }

  private async run(client: number): Promise<void> {
    for (let turn = 0; !this.isOver; turn += 1) {
      const text = `note ${client}-${turn}`;
      await this.attempt(async (gateway) => this.stored.push(...(await gateway.add([text]))));
      if (turn % 4 === 0) await this.attempt((gateway) => gateway.search(text));
    }
  }

  private async attempt(request: (gateway: Client) => Promise<unknown>): Promise<void> {
    await request(new Client(fleet.url, PROJECT)).catch((error: unknown) => this.failures.push(error));
  }
}

test('replacing every process, one after the other, under load fails no request and loses nothing', async () => {
  await new Client(fleet.url, PROJECT).add(['the project exists']);
  const traffic = new Traffic();
  const drains: Record<string, number> = {};
  const replaced = fleet.names.filter((name) => isDrill || name.endsWith('-1'));
  for (const name of replaced) drains[name] = await fleet.replace(name);
  await traffic.stop();
  if (isDrill) console.table({ ...drains, 'requests that stored': traffic.stored.length });

  expect(traffic.failures).toEqual([]);
  expect(Math.max(...Object.values(drains))).toBeLessThan(MAX_DRAIN_MS);
  expect(traffic.stored.length).toBeGreaterThan(replaced.length);
  expect(new Set(traffic.stored).size).toBe(traffic.stored.length);
  const kept = await new Client(fleet.url, PROJECT).listAll();
  const keptUids = new Set(kept.map(({ uid }) => uid));
  expect(traffic.stored.filter((uid) => !keptUids.has(uid))).toEqual([]);
  expect(kept).toHaveLength(traffic.stored.length + 1);
});

test('each service logs in as a role that only reads and writes its rows, and is subject to row security', async () => {
  await withDatabase(fleet.servers.databaseUrl, async (database) => {
    const { rows: logins } = await database.query<{ login: string }>(
      `SELECT DISTINCT usename AS login FROM pg_stat_activity WHERE datname = current_database() AND usename <> current_user ORDER BY 1`,
    );
    expect(logins.map(({ login }) => login)).toEqual(['loci_config', 'loci_episodic', 'loci_semantic']);
    const { rows: roles } = await database.query<{ rolname: string }>(
      `SELECT rolname FROM pg_roles WHERE rolname LIKE 'loci%' AND NOT rolsuper AND NOT rolbypassrls ORDER BY rolname`,
    );
    const names = roles.map(({ rolname }) => rolname);
    expect(names).toEqual(['loci_config', 'loci_episodic', 'loci_migrate', 'loci_semantic']);
  });
  await withDatabase(fleet.servers.databaseUrlOf('episodic'), async (database) => {
    expect((await database.query('SELECT FROM episodic.episodes')).rowCount).toBe(0);
    for (const forbidden of [
      'ALTER TABLE episodic.episodes NO FORCE ROW LEVEL SECURITY',
      'DROP TABLE episodic.episodes',
      'TRUNCATE episodic.episodes',
      'CREATE TABLE episodic.mine (uid uuid)',
      'SELECT FROM config.api_keys',
    ]) {
      await expect(database.query(forbidden)).rejects.toThrow(/must be owner|permission denied/);
    }
  });
});

test.each(['', 'acme', '*'])('no service can change the audit, in the scope "%s"', (scope) =>
  withDatabase(fleet.servers.databaseUrlOf('config'), async (database) => {
    await database.query(`SELECT set_config('loci.scope', $1, false)`, [scope]);
    await database.query(
      `SELECT config.append_audit(jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'at', now(),
         'requestId', 'r', 'actorKind', 'api-key', 'actor', 'a', 'operation', 'o', 'orgId', 'acme',
         'resources', '[]'::jsonb)), interval '1 day')`,
    );
    for (const forbidden of [
      `UPDATE config.audit SET actor = 'innocent'`,
      'DELETE FROM config.audit',
      'TRUNCATE config.audit',
      'INSERT INTO config.audit SELECT * FROM config.audit',
      'UPDATE config.audit_head SET seq = 0',
      'DELETE FROM config.audit_head',
      `SELECT config.chain_audit(NULL, interval '1 day')`,
      'DROP TABLE config.audit',
      'ALTER TABLE config.audit DISABLE ROW LEVEL SECURITY',
      `CREATE OR REPLACE FUNCTION config.audit_hash(r config.audit) RETURNS bytea LANGUAGE sql AS $$ SELECT ''::bytea $$`,
    ]) {
      await expect(database.query(forbidden)).rejects.toThrow(/must be owner|permission denied/);
    }
    await database.query(`SELECT config.remove_expired_audit(gen_random_uuid(), interval '0', 100)`);
    await database.query(`SELECT set_config('loci.scope', '*', false)`);
    const { rowCount } = await database.query(`SELECT FROM config.audit WHERE actor = 'a'`);
    expect(rowCount).toBeGreaterThan(0);
  }),
);

test('every metric that a dashboard or an alert asks for is served by a running process', async () => {
  const pages = await Promise.all(
    fleet.names.map(async (name) => (await fetch(`${fleet.urlOf(name)}/metrics`)).text()),
  );
  const served = new Set(
    pages.flatMap((page) => [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)),
  );
  const asked = new Set(queries().flatMap(({ expr }) => metricsIn(expr)));
  for (const metric of OF_OTHERS.keys()) asked.delete(metric);
  // these are registered with the first model
  for (const metric of asked) if (metric.startsWith('model_')) asked.delete(metric);
  const missing = [...asked].filter((metric) => !served.has(metric) && !served.has(baseName(metric)));
  expect(missing).toEqual([]);
});
