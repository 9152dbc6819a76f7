import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { FakeModels } from './fake-models.js';

let fake: FakeModels;

beforeAll(async () => {
  fake = await FakeModels.start();
});
beforeEach(() => {
  fake.reset();
});
afterAll(async () => {
  await fake.close();
});

function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${fake.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
}

async function chat(system: string, user: string): Promise<string> {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  const reply = await (await post('/v1/chat/completions', { model: 'fake', messages })).json();
  const { choices } = reply as { choices: { message: { content: string } }[] };
  return choices[0]!.message.content;
}

describe('asked to extract', () => {
  const system = 'Reply with {"commands": [...]}';

  test('it notes what plain sentences say', async () => {
    const reply = await chat(system, '<HISTORY>My name is Anna. She likes green tea.</HISTORY>');
    expect(JSON.parse(reply)).toMatchObject({
      commands: [
        { command: 'add', feature: 'name', value: 'Anna' },
        { command: 'add', feature: 'likes', value: 'green tea' },
      ],
    });
  });

  test('it does not note again what the profile has', async () => {
    const profile = '<OLD_PROFILE>{"general":{"likes":"green tea"}}</OLD_PROFILE>';
    const reply = await chat(system, `${profile}<HISTORY>She likes green tea.</HISTORY>`);
    expect(JSON.parse(reply)).toEqual({ commands: [] });
  });

  test('it names the messages that say what it notes', async () => {
    const lines = ['It rained.', 'She likes tea.'].map((text, index) =>
      JSON.stringify({ message: index + 1, from: 'x', text }),
    );
    const reply = await chat(system, `<HISTORY>${lines.join('\n')}</HISTORY>`);
    expect(JSON.parse(reply)).toMatchObject({ commands: [{ value: 'tea', messages: [2] }] });
  });

  test('it notes the message itself where it finds nothing else', async () => {
    const reply = await chat(system, '<HISTORY>It rained all day.</HISTORY>');
    expect(JSON.parse(reply)).toMatchObject({ commands: [{ value: 'It rained all day.' }] });
  });
});

test('asked to consolidate, it merges equal memories and keeps the others', async () => {
  const memory = (id: string, value: string) => ({ tag: 't', feature: 'likes', value, metadata: { id } });
  const memories = [memory('1', 'tea'), memory('2', 'Tea'), memory('3', 'milk')];
  const reply = await chat('Reply with consolidated_memories and keep_memories.', JSON.stringify(memories));
  const merged = { tag: 't', feature: 'likes', value: 'tea', replaces: ['1', '2'] };
  expect(JSON.parse(reply)).toEqual({ consolidated_memories: [merged], keep_memories: ['3'] });
});

test('faults and replies can be set over HTTP, and calls read', async () => {
  await post('/faults', { path: '/v1/chat', status: 503, headers: { 'retry-after': '1' }, times: 2 });
  await post('/replies', { contains: 'weather', value: { sky: 'blue' } });
  for (const expected of [503, 503, 200]) {
    const response = await post('/v1/chat/completions', {
      messages: [{ role: 'user', content: 'the weather' }],
    });
    expect(response.status).toBe(expected);
  }
  expect(await chat('', 'the weather')).toBe('{"sky":"blue"}');
  const { calls } = (await (await fetch(`${fake.url}/calls`)).json()) as { calls: unknown[] };
  expect(calls).toHaveLength(4);
});

test.each(['in use', 'abc'])(
  'npm run fake-models says in a sentence that its port is wrong: %s',
  async (given) => {
    const FAKE_MODELS_PORT = given === 'abc' ? given : new URL(fake.url).port;
    const started = promisify(execFile)(process.execPath, ['libs/testing/dist/fake-models/main.js'], {
      env: { ...process.env, FAKE_MODELS_PORT },
    });
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The stand-in models did not start: .*Set FAKE_MODELS_PORT to a free port, .*\n$/,
      ),
    });
  },
);

test.each([
  [{ PORT: '9191' }, 'http://localhost:9191'],
  [{ LOCI_URL: 'https://memory.example' }, 'https://memory.example'],
])('started by hand with %p, it says where it listens and where Loci is', async (env, loci) => {
  const child = spawn(process.execPath, ['libs/testing/dist/fake-models/main.js'], {
    env: { ...process.env, FAKE_MODELS_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let said = '';
  for await (const text of child.stdout) {
    said += String(text);
    if (said.endsWith('\n\n') && said.includes('curl')) break;
  }
  child.kill();
  await closed;
  expect(said).toContain(`curl -X POST ${loci}/api/v2/config/resources/language_models`);
  const [, url = ''] = /^Stand-in models of all providers: (\S+)/.exec(said) ?? [];
  expect(said).toContain(`"base_url":"${url}/v1"`);
});

test('a fault of some texts is not one of others, and waits for its own', async () => {
  fake.fail({ path: 'embeddings', text: 'one', status: 503 });
  const statusOf = async (input: string): Promise<number> =>
    (await post('/v1/embeddings', { model: 'fake', input })).status;
  expect([await statusOf('two'), await statusOf('one'), await statusOf('one')]).toEqual([200, 503, 200]);
});
