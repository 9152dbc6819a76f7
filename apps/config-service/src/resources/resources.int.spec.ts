import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type AddResourceRequest, type ResourceKind } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { eventually, TestDatabase } from '@loci/testing';
import { migrate, newKey, Replica, type ReplicaOptions } from '../../test/replica.js';
import { hangs, ScriptedProber } from '../../test/scripted-prober.js';

/** For a machine that is busy with something else. */
const PATIENCE_MS = 60_000;

let database: TestDatabase;
let prober: ScriptedProber;
let replicas: Replica[];

beforeAll(async () => {
  database = await TestDatabase.create();
  await migrate(database.url);
});

beforeEach(async () => {
  prober = new ScriptedProber();
  replicas = [];
  await database.query('DELETE FROM config.resources WHERE NOT is_built_in');
  await database.query('DELETE FROM config.resource_transitions');
  await database.query(`UPDATE config.memory_configuration SET changes = '{}'`);
});

afterEach(() => Promise.all(replicas.map((replica) => replica.close())));

afterAll(() => database.drop());

const open = async (options: Partial<ReplicaOptions> = {}): Promise<Replica> => {
  const replica = await Replica.open({ url: database.url, prober, ...options });
  replicas.push(replica);
  return replica;
};

const model = (name: string, changes: Partial<AddResourceRequest> = {}): AddResourceRequest => ({
  kind: 'language_model',
  name,
  provider: 'openai-chat-completions',
  config: { model: 'm', api_key: 'k', base_url: 'https://models.example/v1' },
  mayBeDefault: false,
  ...changes,
});

const id = (name: string, kind: ResourceKind = 'language_model') => ({ kind, name });

const chosenBy = async (replica: Replica): Promise<unknown[]> => {
  const { episodic, semantic } = await replica.memory.get();
  return [semantic.llmModel, episodic.shortTerm.llmModel];
};

const story = async (replica: Replica, name: string): Promise<string[]> =>
  (await replica.resources.get(id(name))).transitions
    .map(({ from, to }) => `${from ?? 'none'}>${to}`)
    .reverse();

describe('a resource that is added', () => {
  test('is probed, and each transition is kept with time and reason', async () => {
    const replica = await open();
    expect(await replica.resources.add(model('a'))).toEqual({ status: 'ready' });
    expect(await story(replica, 'a')).toEqual(['none>pending', 'pending>ready']);
    const [latest] = (await replica.resources.get(id('a'))).transitions;
    expect(latest?.reason).toBe('The provider answered.');
    expect(Math.abs(Date.parse(latest?.at ?? '') - Date.now())).toBeLessThan(60_000);
  });

  test('is failed with the reason of the provider, and stays stored', async () => {
    const replica = await open();
    prober.script = () => ({ ok: false, reason: 'The key was refused.' });
    const outcome = { status: 'failed', error: 'The key was refused.' };
    expect(await replica.resources.add(model('a'))).toEqual(outcome);
    expect(await replica.resources.get(id('a'))).toMatchObject(outcome);
  });

  test('is pending while its provider takes longer than the wait, and then what it is', async () => {
    const replica = await open({ settings: { MODEL_PROBE_WAIT_MS: '100' } });
    let answer: (() => void) | undefined;
    prober.script = () => new Promise((resolve) => (answer = () => resolve({ ok: true })));
    expect(await replica.resources.add(model('a'))).toEqual({ status: 'pending' });
    expect(await replica.resources.get(id('a'))).toMatchObject({ status: 'pending' });
    await eventually(() => answer !== undefined, { what: 'the provider is asked' });
    answer?.();
    expect(await replica.probes.outcome(id('a'), PATIENCE_MS)).toEqual({ status: 'ready' });
  });

  test('is failed when its provider never answers', async () => {
    const replica = await open({ settings: { MODEL_PROBE_TIMEOUT_MS: '200' } });
    prober.script = hangs;
    expect(await replica.resources.add(model('a'))).toEqual({
      status: 'failed',
      error: 'The provider did not answer within 0.2 s.',
    });
  });

  test('again replaces the former one and is probed again; the outcome of the former probe does not count', async () => {
    const replica = await open({ settings: { MODEL_PROBE_WAIT_MS: '100' } });
    let failLate: (() => void) | undefined;
    prober.script = ({ config }) =>
      config['model'] === 'old'
        ? new Promise((resolve) => (failLate = () => resolve({ ok: false, reason: 'old' })))
        : { ok: true };
    await replica.resources.add(model('a', { config: { ...model('a').config, model: 'old' } }));
    const before = await replica.resources.get(id('a'));
    await eventually(() => failLate !== undefined, { what: 'the former one is asked' });
    await replica.resources.add(model('a'));
    expect(await replica.probes.outcome(id('a'), PATIENCE_MS)).toEqual({ status: 'ready' });
    failLate?.();
    await eventually(() => prober.probed.length === 2, { what: 'both were probed' });
    await replica.close();
    const other = await open();
    const after = await other.resources.get(id('a'));
    expect(after).toMatchObject({ status: 'ready', config: { model: 'm' } });
    expect(after.revision).toBeGreaterThan(before.revision);
    replicas = [other];
  });

  const hybrid = (name: string, ids: string[]): AddResourceRequest => ({
    kind: 'reranker',
    name,
    provider: 'rrf-hybrid',
    config: { reranker_ids: ids },
  });

  test('422: with a part that does not exist, or that it would be a part of itself', async () => {
    const { resources } = await open();
    await expect(resources.add(hybrid('a', ['bm25', 'nope']))).rejects.toMatchObject({
      code: 'unknown_resource',
      details: { problems: [{ loc: ['body', 'config', 'reranker_ids', 1] }] },
    });
    await resources.add(hybrid('a', ['bm25']));
    await resources.add(hybrid('b', ['a']));
    await expect(resources.add(hybrid('a', ['b']))).rejects.toMatchObject({
      code: 'invalid_request',
      details: { problems: [{ type: 'recursion_loop' }] },
    });
  });

  test('422: with one part twice, or with so many that a search would run more than 32 rerankers', async () => {
    const { resources } = await open();
    await expect(resources.add(hybrid('a', ['bm25', 'identity', 'bm25']))).rejects.toMatchObject({
      details: { problems: [{ loc: ['body', 'config', 'reranker_ids', 2], type: 'repeated_name' }] },
    });
    const many = { details: { problems: [{ type: 'too_many_rerankers' }] } };
    await resources.add(hybrid('a 1', ['bm25', 'identity']));
    await resources.add(hybrid('b 1', ['bm25', 'identity']));
    // 1 + 2 * 3 = 7, 1 + 2 * 7 = 15, 1 + 2 * 15 = 31
    for (const level of [2, 3, 4]) {
      for (const side of ['a', 'b'])
        await resources.add(hybrid(`${side} ${level}`, [`a ${level - 1}`, `b ${level - 1}`]));
    }
    await expect(resources.add(hybrid('a 5', ['a 4', 'b 4']))).rejects.toMatchObject(many);
    // it is the whole that would run too many
    await expect(resources.add(hybrid('a 1', ['b 1', 'bm25']))).rejects.toMatchObject(many);
    await resources.add(hybrid('a 1', ['bm25']));
  });
});

test('models have no more bytes together than services are told at once; what makes them fewer is taken', async () => {
  const replica = await open();
  const large = (name: string, bytes: number) =>
    replica.resources.add(model(name, { config: { ...model(name).config, note: 'x'.repeat(bytes) } }));
  await large('a', 2_000_000);
  const tooLarge = { code: 'body_too_large', message: expect.stringMatching(/remove those/) };
  await expect(large('b', 2_000_000)).rejects.toMatchObject(tooLarge);
  await expect(replica.resources.get(id('b'))).rejects.toMatchObject({ code: 'resource_not_found' });
  await database.query(
    `INSERT INTO config.resources (kind, name, provider, config, revision, status)
     SELECT 'language_model', 'many' || n, 'openai-responses', '{}', 0, 'ready' FROM generate_series(1, 4000) AS n`,
  );
  await expect(large('b', 1)).rejects.toMatchObject(tooLarge);
  await large('a', 1_000);
});

describe('the address of a model', () => {
  const at = (base_url: string) => model('a', { config: { ...model('a').config, base_url } });

  test('is stored and shown as requests are sent to it', async () => {
    const replica = await open();
    await replica.resources.add(at('HTTP://0x7f.1:80'));
    const [stored] = (await replica.resources.list()).filter(({ name }) => name === 'a');
    expect(stored?.config['base_url']).toBe('http://127.0.0.1');
    const { config } = await replica.resources.get(id('a'));
    expect(config['base_url']).toBe('http://127.0.0.1');
  });

  test('with a backslash is refused; what was stored with one is shown as it is dialled', async () => {
    const replica = await open();
    const typed = 'http://44.44.44.44\\@127.0.0.1';
    await expect(replica.resources.add(at(typed))).rejects.toMatchObject({
      code: 'invalid_request',
      details: { problems: [{ loc: ['body', 'config', 'base_url'], type: 'url_parsing' }] },
    });
    await replica.resources.add(at('https://models.example/v1'));
    await database.query(
      `UPDATE config.resources SET config = config || jsonb_build_object('base_url', '${typed}') WHERE name = 'a'`,
    );
    const { config } = await replica.resources.get(id('a'));
    expect(config['base_url']).toBe('http://44.44.44.44/@127.0.0.1');
  });
});

describe('a failed resource', () => {
  test('is ready again by itself once its provider is well', async () => {
    const replica = await open();
    replica.probes.onApplicationBootstrap();
    prober.script = () => ({ ok: false, reason: 'down' });
    await replica.resources.add(model('a'));
    await eventually(() => prober.probed.length >= 3, { what: 'it was tried again' });
    prober.script = () => ({ ok: true });
    await eventually(async () => (await replica.resources.get(id('a'))).status === 'ready', {
      what: 'it is ready',
    });
    const steps = await story(replica, 'a');
    expect(steps.slice(0, 4)).toEqual(['none>pending', 'pending>failed', 'failed>pending', 'pending>failed']);
    expect(steps.at(-1)).toBe('pending>ready');
  });

  test('is really asked each time, long after the request that registered it has ended', async () => {
    const replica = await open();
    const deadlines: (number | undefined)[] = [];
    prober.script = () => {
      deadlines.push(RequestContext.current()?.deadlineMs);
      return { ok: false, reason: 'down' };
    };
    const request = { requestId: 'r', deadlineMs: Date.now() + 60_000 };
    await RequestContext.run(request, () => replica.resources.add(model('a')));
    replica.probes.onApplicationBootstrap();
    await eventually(() => deadlines.length >= 3, { what: 'it was tried again' });
    expect(new Set(deadlines)).toEqual(new Set([undefined]));
  });

  test('is probed at once when a retry is asked for; one that is ready is not. Every process ends the pause of either', async () => {
    const replica = await open({ settings: { MODEL_PROBE_RETRY_MIN_MS: '60000' } });
    prober.script = () => ({ ok: false, reason: 'down' });
    await replica.resources.add(model('a'));
    prober.script = () => ({ ok: true });
    expect(await replica.resources.retry(id('a'))).toEqual({ status: 'ready' });
    expect(await replica.resources.retry(id('a'))).toEqual({ status: 'ready' });
    expect(prober.probed).toHaveLength(2);
    await expect(replica.resources.retry(id('b'))).rejects.toMatchObject({ code: 'resource_not_found' });
    const resumed = { subject: 'signal.v1.model.resumed', payload: id('a') };
    expect(replica.told).toEqual([resumed, resumed]);
  });

  test('is what a ready one becomes that keeps failing in use, unless it was replaced meanwhile', async () => {
    const replica = await open({ settings: { MODEL_PROBE_RETRY_MIN_MS: '60000' } });
    await replica.resources.add(model('a'));
    const { revision } = await replica.resources.get(id('a'));
    await replica.resources.report({ ...id('a'), revision: revision - 1, reason: 'old news' });
    expect((await replica.resources.get(id('a'))).status).toBe('ready');
    await replica.resources.report({ ...id('a'), revision, reason: '5 calls failed' });
    expect(await replica.resources.get(id('a'))).toMatchObject({ status: 'failed', error: '5 calls failed' });
    expect((await story(replica, 'a')).at(-1)).toBe('ready>failed');
  });
});

describe('removal', () => {
  test('409 names the users, force removes all the same, and its history stays', async () => {
    const replica = await open();
    await replica.resources.add(model('a'));
    await replica.memory.update({ semantic: { llmModel: 'a' } });
    expect((await replica.resources.get(id('a'))).uses).toEqual([
      {
        text: 'the memory configuration (semantic_memory.llm_model)',
        setting: 'semantic_memory.llm_model',
      },
    ]);
    await expect(replica.resources.remove({ ...id('a'), force: false })).rejects.toMatchObject({
      code: 'resource_in_use',
      details: { fields: { used_by: ['the memory configuration (semantic_memory.llm_model)'] } },
    });
    await replica.resources.remove({ ...id('a'), force: true });
    await expect(replica.resources.get(id('a'))).rejects.toMatchObject({ code: 'resource_not_found' });
    await replica.resources.add(model('a'));
    expect((await story(replica, 'a')).slice(-3)).toEqual(['ready>removed', 'none>pending', 'pending>ready']);
  });

  test('409: a part of another one, and what is built in, even by force', async () => {
    const { resources } = await open();
    const part = { kind: 'reranker', name: 'part', provider: 'bm25', config: {} } as const;
    await resources.add(part);
    await resources.add({
      ...part,
      name: 'whole',
      provider: 'rrf-hybrid',
      config: { reranker_ids: ['part'] },
    });
    await expect(resources.remove({ ...id('part', 'reranker'), force: false })).rejects.toMatchObject({
      code: 'resource_in_use',
    });
    for (const builtIn of [id('local', 'embedder'), id('identity', 'reranker'), id('bm25', 'reranker')]) {
      await expect(resources.remove({ ...builtIn, force: true })).rejects.toMatchObject({
        code: 'resource_built_in',
      });
    }
    await expect(resources.add({ ...part, name: 'bm25' })).rejects.toMatchObject({
      code: 'resource_built_in',
    });
  });

  test('waits for a transaction that is about to name the resource, which then counts as a user', async () => {
    const [one, other] = [await open(), await open()];
    await one.resources.add(model('a'));
    let removal: Promise<unknown> | undefined;
    await one.unitOfWork.run(async (tx) => {
      await one.lookup.protect([{ ...id('a'), loc: [] }], tx);
      removal = other.resources.remove({ ...id('a'), force: false }).catch((error: unknown) => error);
      const isOver = await Promise.race([
        removal.then(() => true),
        eventually(
          async () =>
            (
              await database.query(
                `SELECT 1 FROM pg_stat_activity
                 WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE%'`,
              )
            ).length > 0,
          { what: 'the removal waits' },
        ).then(() => false),
      ]);
      expect(isOver).toBe(false);
    });
    expect(await removal).toBeUndefined();
  });
});

describe('two replicas', () => {
  test('adding one name at once: one definition wins, and both say the same of it', async () => {
    const [one, other] = [await open(), await open()];
    for (const replica of [one, other]) replica.probes.onApplicationBootstrap();
    const adds = Array.from({ length: 12 }, (_, index) => {
      const config = { ...model('a').config, model: `m${index}` };
      return (index % 2 === 0 ? one : other).resources.add(model('a', { config }));
    });
    expect((await Promise.all(adds)).every(({ status }) => status === 'ready')).toBe(true);
    expect(await one.resources.get(id('a'))).toEqual(await other.resources.get(id('a')));
    expect(await one.registry.snapshot()).toEqual(await other.registry.snapshot());
  });

  test('probe each resource once, whichever replica was asked', async () => {
    const [one, other] = [await open(), await open()];
    for (const replica of [one, other]) replica.probes.onApplicationBootstrap();
    const names = Array.from({ length: 10 }, (_, index) => `m${index}`);
    await Promise.all(names.map((name, index) => (index % 2 === 0 ? one : other).resources.add(model(name))));
    expect(prober.probed.toSorted()).toEqual(names);
  });

  test('a probe whose replica was killed is taken up by another one', async () => {
    const [doomed, other] = [await open(), await open()];
    prober.script = hangs;
    const add = doomed.resources.add(model('a')).catch(() => undefined);
    await eventually(() => prober.probed.length === 1, { what: 'the probe runs' });
    await doomed.kill();
    await add;
    replicas = [other];
    await database.query(`UPDATE config.resources SET probe_until = now() WHERE name = 'a'`);
    prober.script = () => ({ ok: true });
    other.probes.onApplicationBootstrap();
    expect(await other.probes.outcome(id('a'), PATIENCE_MS)).toEqual({ status: 'ready' });
  });

  const dieProbing = async (name: string): Promise<void> => {
    const doomed = await open();
    prober.script = hangs;
    const before = prober.probed.length;
    doomed.probes.onApplicationBootstrap();
    await eventually(() => prober.probed.length > before, { what: 'the probe runs' });
    await doomed.kill();
    await doomed.probes.onModuleDestroy().catch(() => undefined);
    replicas = [];
    await database.query(`UPDATE config.resources SET probe_until = now() WHERE name = '${name}'`);
  };

  test('what ended its process three times is failed, says so, and is probed again only when asked', async () => {
    const first = await open({ settings: { MODEL_PROBE_WAIT_MS: '0' } });
    prober.script = hangs;
    await first.resources.add(model('a'));
    await first.probes.onModuleDestroy();
    prober.probed.length = 0;
    for (let deaths = 0; deaths < 3; deaths++) await dieProbing('a');
    prober.script = () => ({ ok: true });
    const last = await open();
    last.probes.onApplicationBootstrap();
    const reason = expect.stringMatching(/ended in the middle of the probe, 3 times .* ask for a retry/);
    expect(await last.probes.outcome(id('a'), PATIENCE_MS)).toEqual({ status: 'failed', error: reason });
    const probes = prober.probed.length;
    expect(await last.resources.add(model('other'))).toEqual({ status: 'ready' });
    expect(prober.probed.slice(probes)).toEqual(['other']);
    const restarted = await open();
    restarted.probes.onApplicationBootstrap();
    expect(await restarted.resources.add(model('another'))).toEqual({ status: 'ready' });
    expect(prober.probed.slice(probes)).toEqual(['other', 'another']);
    expect(await restarted.resources.retry(id('a'))).toEqual({ status: 'ready' });
    const [row] = await database.query<{ unfinished_probes: number }>(
      `SELECT unfinished_probes FROM config.resources WHERE name = 'a'`,
    );
    expect(row).toEqual({ unfinished_probes: 0 });
  });

  test('that was never asked does not wait for those that failed', async () => {
    const failing = await open();
    prober.script = () => ({ ok: false, reason: 'The provider is away.' });
    const failed = Array.from({ length: 9 }, (_, index) => `failed-${index}`);
    for (const name of failed) await failing.resources.add(model(name));
    await failing.close();
    replicas = [];
    await database.query(`UPDATE config.resources SET next_probe_at = now() - interval '1 hour'`);
    prober.script = hangs;
    const begun = prober.probed.length;
    const last = await open({ settings: { MODEL_PROBE_WAIT_MS: '0' } });
    await last.resources.add(model('new'));
    await eventually(() => prober.probed.length >= begun + 8, { what: 'as many probes run as may' });
    expect(prober.probed.slice(begun)).toContain('new');
  });

  test('probes that were stopped in the middle do not count, however often', async () => {
    for (let stops = 0; stops < 4; stops++) {
      const leaving = await open({ settings: { MODEL_PROBE_WAIT_MS: '0' } });
      prober.script = hangs;
      const before = prober.probed.length;
      if (before === 0) await leaving.resources.add(model('a'));
      leaving.probes.onApplicationBootstrap();
      await eventually(() => prober.probed.length > before, { what: 'the probe runs' });
      await leaving.close();
      replicas = [];
    }
    const last = await open();
    prober.script = () => ({ ok: true });
    last.probes.onApplicationBootstrap();
    expect(await last.probes.outcome(id('a'), PATIENCE_MS)).toEqual({ status: 'ready' });
  });

  test('what shared a process with it is probed alone, and not blamed', async () => {
    const doomed = await open({ settings: { MODEL_PROBE_WAIT_MS: '0' } });
    prober.script = hangs;
    for (const name of ['guilty', 'one', 'two']) await doomed.resources.add(model(name));
    doomed.probes.onApplicationBootstrap();
    await eventually(() => prober.probed.length === 3, { what: 'three probes run' });
    await doomed.kill();
    await doomed.probes.onModuleDestroy().catch(() => undefined);
    replicas = [];
    await database.query(`UPDATE config.resources SET probe_until = now() WHERE probe_until IS NOT NULL`);
    let atOnce = 0;
    let most = 0;
    prober.script = async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve, 20));
      atOnce -= 1;
      return { ok: true };
    };
    const last = await open();
    last.probes.onApplicationBootstrap();
    for (const name of ['guilty', 'one', 'two']) {
      expect(await last.probes.outcome(id(name), PATIENCE_MS)).toEqual({ status: 'ready' });
    }
    expect(most).toBe(1);
  });

  test('a probe whose replica is stopped is given back at once', async () => {
    const [leaving, other] = [await open(), await open()];
    prober.script = hangs;
    void leaving.resources.add(model('a')).catch(() => undefined);
    await eventually(() => prober.probed.length === 1, { what: 'the probe runs' });
    await leaving.probes.onModuleDestroy();
    prober.script = () => ({ ok: true });
    other.probes.onApplicationBootstrap();
    expect(await other.probes.outcome(id('a'), PATIENCE_MS)).toEqual({ status: 'ready' });
  });
});

describe('revisions', () => {
  test('grow with every change, each announced, and stand still when nothing changes', async () => {
    const replica = await open();
    const announced = async (): Promise<number[]> =>
      (
        await database.query<{ revision: number }>(
          `SELECT (payload->>'revision')::int AS revision FROM config.outbox
           WHERE subject = 'evt.config.v1.registry.changed' ORDER BY id`,
        )
      ).map(({ revision }) => revision);
    const before = await replica.registry.revision();
    await replica.resources.add(model('a'));
    await replica.memory.update({ semantic: { ingestionTriggerMessages: 9 } });
    const after = await replica.registry.revision();
    expect(after).toBe(before + 3);
    expect((await announced()).slice(-3)).toEqual([before + 1, before + 2, after]);
    await replica.resources.retry(id('a'));
    await replica.memory.update({ semantic: { ingestionTriggerMessages: 9 }, episodic: {} });
    expect(await replica.registry.revision()).toBe(after);
    expect((await replica.registry.snapshot()).memory.semantic.ingestionTriggerMessages).toBe(9);
  });
});

describe('secrets', () => {
  const SECRET = 'sk-planted-4711';
  const withSecret = (name: string, api_key = SECRET): AddResourceRequest =>
    model(name, { config: { ...model(name).config, api_key } });

  test('in clear are encrypted before they are stored, references stay, and none is shown', async () => {
    const replica = await open();
    await replica.resources.add(withSecret('a'));
    await replica.resources.add(withSecret('b', '$LOCI_MODEL_SECRET_MINE'));
    const [row] = await database.query<{ dump: string }>(
      `SELECT string_agg(t::text, '') AS dump FROM (
         SELECT to_jsonb(r) AS t FROM config.resources r UNION ALL SELECT to_jsonb(o) FROM config.outbox o
         UNION ALL SELECT to_jsonb(h) FROM config.resource_transitions h
         UNION ALL SELECT to_jsonb(i) FROM config.idempotency i) AS everything`,
    );
    expect(row?.dump).toContain('sealed:v1:');
    expect(row?.dump).not.toContain(SECRET);
    expect((await replica.resources.get(id('a'))).config).toMatchObject({ api_key: '********' });
    expect((await replica.resources.get(id('b'))).config).toMatchObject({
      api_key: '$LOCI_MODEL_SECRET_MINE',
    });
    expect(JSON.stringify(replica.logger.lines)).not.toContain(SECRET);
  });

  test('under keys that no provider knows are neither stored nor shown in clear, also from before', async () => {
    const replica = await open();
    const extras = { headers: { Authorization: SECRET }, proxy: `https://me:${SECRET}@host` };
    const config = { ...model('a').config, ...extras };
    await replica.resources.add(model('a', { config }));
    await replica.resources.add(model('b'));
    await database.query(`UPDATE config.resources SET config = config || $1 WHERE name = 'b'`, [
      JSON.stringify(extras),
    ]);
    for (const name of ['a', 'b']) {
      expect((await replica.resources.get(id(name))).config).toEqual({
        ...{ model: 'm', api_key: '********', base_url: 'https://models.example/v1' },
        ...{ headers: '********', proxy: '********' },
      });
    }
    await replica.rotation.onApplicationBootstrap();
    const stored = await database.query<{ config: object }>('SELECT config FROM config.resources');
    expect(JSON.stringify(stored)).not.toContain(SECRET);
  });

  test('that name a variable which is not for models are refused; what was stored before is failed', async () => {
    const replica = await open();
    await expect(replica.resources.add(withSecret('a', '$LOCI_SECRET_KEYS'))).rejects.toMatchObject({
      details: { problems: [{ loc: ['body', 'config', 'api_key'], type: 'forbidden_reference' }] },
    });
    await replica.resources.add(withSecret('b'));
    await database.query(
      `UPDATE config.resources SET config = config || '{"api_key":"$OPENAI_API_KEY"}' WHERE name = 'b'`,
    );
    await replica.forbiddenReferences.onApplicationBootstrap();
    expect(await replica.resources.get(id('b'))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('OPENAI_API_KEY may not be used here'),
    });
  });

  test('are encrypted with the current key at the start, so that a former one can be given up', async () => {
    const [former, current] = [newKey('former'), newKey('current')];
    const before = await open({ secretKeys: former });
    await before.resources.add(withSecret('a'));
    const { revision } = await before.resources.get(id('a'));
    const rotating = await open({ secretKeys: `${current},${former}` });
    await rotating.rotation.onApplicationBootstrap();
    const stored = await database.query<{ key: string }>(
      `SELECT config->>'api_key' AS key FROM config.resources WHERE name = 'a'`,
    );
    expect(stored[0]?.key).toMatch(/^sealed:v1:current:/);
    expect(await rotating.resources.get(id('a'))).toMatchObject({ status: 'ready', revision });
    const without = await open({ secretKeys: current });
    await without.rotation.onApplicationBootstrap();
    expect(without.logger.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });
});

describe('the first language model that is ready', () => {
  const candidate = (name: string): AddResourceRequest => model(name, { mayBeDefault: undefined });

  test('is the one of memory; the next is not', async () => {
    const replica = await open();
    expect(await replica.resources.add(candidate('a'))).toMatchObject({
      status: 'ready',
      users: [
        expect.stringContaining('semantic_memory.llm_model'),
        expect.stringContaining('llm_model'),
      ].reverse(),
    });
    expect(await replica.resources.add(candidate('b'))).toEqual({ status: 'ready' });
    expect(await chosenBy(replica)).toEqual(['a', 'a']);
  });

  test('is so only once it is ready, also when it became so by a retry', async () => {
    const replica = await open({ settings: { MODEL_PROBE_RETRY_MIN_MS: '60000' } });
    prober.script = () => ({ ok: false, reason: 'No.' });
    await replica.resources.add(candidate('a'));
    expect(await chosenBy(replica)).toEqual([undefined, undefined]);
    prober.script = () => ({ ok: true });
    expect(await replica.resources.retry(id('a'))).toMatchObject({ status: 'ready' });
    expect(await chosenBy(replica)).toEqual(['a', 'a']);
  });

  test.each([
    ['one is chosen for learning', { semantic: { llmModel: 'b' } }, ['b', undefined]],
    ['one is chosen for summaries', { episodic: { shortTerm: { llmModel: 'b' } } }, [undefined, 'b']],
    ['none is wanted', { semantic: { llmModel: '' } }, [undefined, undefined]],
  ])('is not where %s', async (_, choice, expected) => {
    const replica = await open();
    await replica.resources.add(model('b'));
    await replica.memory.update(choice);
    await replica.resources.add(candidate('a'));
    expect(await chosenBy(replica)).toEqual(expected);
  });

  test('is not where its registration says so; embedders never are', async () => {
    const replica = await open();
    await replica.resources.add(model('a'));
    await replica.resources.add({
      ...{ kind: 'embedder', name: 'e', provider: 'openai' },
      config: { api_key: 'k', base_url: 'https://models.example/v1' },
    });
    expect(await chosenBy(replica)).toEqual([undefined, undefined]);
    expect((await replica.memory.get()).semantic.embeddingModel).toBe('local');
  });

  test('an unknown key of its configuration is named', async () => {
    const replica = await open();
    const { config } = model('a');
    const outcome = await replica.resources.add(model('a', { config: { ...config, tempratur: 1 } }));
    expect(outcome).toEqual({ status: 'ready', unknownKeys: ['tempratur'] });
  });
});
