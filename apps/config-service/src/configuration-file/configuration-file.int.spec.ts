import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, TestDatabase } from '@loci/testing';
import { parse } from 'yaml';
import { migrate, Replica } from '../../test/replica.js';
import { ScriptedProber } from '../../test/scripted-prober.js';

const TEXT = `# kept
resources:
  language_models:
    main: # the good one
      provider: vendora-chat-completions
      config: { model: m, api_key: $LOCI_MODEL_SECRET_MINE, base_url: "https://models.example/v1" }
  rerankers:
    both: { provider: rrf-hybrid, config: { reranker_ids: [mine, identity] } }
    mine: { provider: bm25 }
    identity: { provider: identity }
semantic_memory:
  # how soon
  ingestion_trigger_messages: 7
  ingestion_trigger_age: 60
  llm_model: main
episodic_memory:
  short_term_memory_enabled: false
`;

const MAIN = { kind: 'language_model', name: 'main' } as const;

let database: TestDatabase;
let folder: string;
let path: string;
let opened: Replica[];

beforeAll(async () => {
  database = await TestDatabase.create();
  await migrate(database.url);
});

beforeEach(async () => {
  opened = [];
  folder = await mkdtemp(join(tmpdir(), 'loci-file-'));
  path = join(folder, 'loci.yml');
  await writeFile(path, TEXT);
  await database.query('DELETE FROM config.resources WHERE NOT is_built_in');
  await database.query('DELETE FROM config.configuration_file_entries');
  await database.query(`UPDATE config.memory_configuration SET changes = '{}'`);
});

afterEach(async () => {
  await Promise.all(opened.map((replica) => replica.close()));
  await rm(folder, { recursive: true });
});

afterAll(() => database.drop());

/** As a process starts. */
const start = async (): Promise<Replica> => {
  const replica = await Replica.open({
    url: database.url,
    prober: new ScriptedProber(),
    settings: { MEMORY_CONFIG: path },
  });
  opened.push(replica);
  await replica.file.onModuleInit();
  replica.file.onApplicationBootstrap();
  return replica;
};

const stop = async (replica: Replica): Promise<void> => {
  opened = opened.filter((one) => one !== replica);
  await replica.close();
};

const text = (): Promise<string> => readFile(path, 'utf8');

const written = (pattern: RegExp): Promise<unknown> =>
  eventually(async () => pattern.test(await text()), { what: `the file has ${pattern}` });

const triggerOf = async (replica: Replica): Promise<number> =>
  (await replica.memory.get()).semantic.ingestionTriggerMessages;

describe('at the start', () => {
  test('what the file says is in force, aliases, parts and other names of settings included', async () => {
    const replica = await start();
    expect(await replica.memory.get()).toMatchObject({
      episodic: { shortTerm: { enabled: false } },
      semantic: { ingestionTriggerMessages: 7, ingestionTriggerAgeSeconds: 60, llmModel: 'main' },
    });
    expect(await replica.resources.get(MAIN)).toMatchObject({
      provider: 'openai-chat-completions',
      config: { api_key: '$LOCI_MODEL_SECRET_MINE' },
    });
    expect(await replica.resources.get({ kind: 'reranker', name: 'both' })).toBeDefined();
  });

  test('an unchanged file undoes nothing that was changed since, even if it could not be written', async () => {
    const first = await start();
    await chmod(path, 0o444);
    await first.memory.update({ semantic: { ingestionTriggerMessages: 11 } });
    await eventually(() => first.logger.lines.some(({ message }) => message.includes('read-only')), {
      what: 'the warning',
    });
    expect(await triggerOf(first)).toBe(11);
    await stop(first);
    expect(await text()).toBe(TEXT);
    expect(await triggerOf(await start())).toBe(11);
  });

  test('what was edited in the file meanwhile counts, and only that', async () => {
    const first = await start();
    await chmod(path, 0o444);
    await first.memory.update({ semantic: { ingestionTriggerAgeSeconds: 99 } });
    await stop(first);
    await chmod(path, 0o644);
    await writeFile(path, TEXT.replace('messages: 7', 'messages: 8'));
    expect((await (await start()).memory.get()).semantic).toMatchObject({
      ingestionTriggerMessages: 8,
      ingestionTriggerAgeSeconds: 99,
    });
  });

  test.each([
    ['syntax', TEXT.replace('{ model', '{{ model'), /line 7, column 3: /],
    ['a provider', TEXT.replace('vendora-chat', 'litellm'), /line 5, column 17: .*provider/],
    [
      'a value',
      TEXT.replace('messages: 7', 'messages: 0'),
      /line 13, column 31: .*ingestion_trigger_messages/,
    ],
    [
      'a name',
      TEXT.replace('llm_model: main', 'llm_model: other'),
      /line 15, column 14: .*'other' is not defined/,
    ],
    ['a part', TEXT.replace('[mine,', '[other,'), /line 8, column 60: .*'other' is not defined/],
  ])(
    'wrong %s stops it with line and column, and nothing of the file is taken over',
    async (_, broken, message) => {
      await writeFile(path, broken);
      await expect(start()).rejects.toThrow(message);
      const [row] = await database.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM config.resources WHERE NOT is_built_in',
      );
      expect(row?.count).toBe(0);
    },
  );
});

describe('afterwards', () => {
  test('changes are written back; comments, references and everything else stay', async () => {
    const replica = await start();
    await replica.memory.update({
      semantic: { ingestionTriggerMessages: 3, ingestionTriggerAgeSeconds: 30 },
    });
    await replica.resources.add({
      kind: 'embedder',
      name: 'e',
      provider: 'openai',
      config: { api_key: 'sk-1' },
    });
    await replica.resources.remove({ kind: 'reranker', name: 'both', force: false });
    await eventually(async () => !(await text()).includes('both'), { what: 'the last change is written' });
    const now = await text();
    for (const kept of ['# kept', '# the good one', '# how soon', '$LOCI_MODEL_SECRET_MINE'])
      expect(now).toContain(kept);
    expect(now).not.toContain('sk-1');
    expect(parse(now)).toMatchObject({
      resources: {
        embedders: { e: { provider: 'openai', config: { api_key: expect.stringMatching(/^sealed:v1:/) } } },
        rerankers: { mine: { provider: 'bm25' }, identity: { provider: 'identity' } },
      },
      semantic_memory: { ingestion_trigger_messages: 3, ingestion_trigger_age: 30 },
    });
    expect(now).not.toContain('message_capacity');
  });

  test('what we wrote is no news at the next start', async () => {
    const first = await start();
    await first.resources.add({
      kind: 'embedder',
      name: 'e',
      provider: 'openai',
      config: { api_key: 'sk-1' },
    });
    await written(/sealed/);
    await stop(first);
    const [before] = await database.query('SELECT revision FROM config.registry_revision');
    await start();
    expect(await database.query('SELECT revision FROM config.registry_revision')).toEqual([before]);
  });

  test('a secret that stood there in clear is encrypted there too', async () => {
    await writeFile(path, TEXT.replace('$LOCI_MODEL_SECRET_MINE', 'sk-in-clear'));
    await start();
    await written(/sealed:v1:/);
    expect(await text()).not.toContain('sk-in-clear');
  });

  test('what is edited in the file meanwhile is not overwritten', async () => {
    const replica = await start();
    await written(/openai-chat-completions/);
    await writeFile(path, (await text()).replace('messages: 7', 'messages: 8'));
    await replica.memory.update({
      semantic: { ingestionTriggerMessages: 5, ingestionTriggerAgeSeconds: 30 },
    });
    await written(/ingestion_trigger_age: 30/);
    expect(await text()).toContain('ingestion_trigger_messages: 8');
    expect(await triggerOf(replica)).toBe(5);
    await stop(replica);
    expect(await triggerOf(await start())).toBe(8);
  });

  test('two replicas on one file leave it whole, with the last change in it', async () => {
    const [one, other] = [await start(), await start()];
    for (let trigger = 20; trigger < 30; trigger += 1) {
      const replica = trigger % 2 === 0 ? one : other;
      await replica.memory.update({ semantic: { ingestionTriggerMessages: trigger } });
    }
    await written(/ingestion_trigger_messages: 29/);
    expect(parse(await text())).toMatchObject({ semantic_memory: { llm_model: 'main' } });
  });
});
