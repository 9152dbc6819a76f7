import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Loci as Client } from '@loci/client';
import { LociMemory, type LociMemoryOptions, memoryTools } from '@loci/mastra';
import { eventually, FakeModels } from '@loci/testing';
import { Agent } from '@mastra/core/agent';
import { type MastraDBMessage, type MastraMemory, MockMemory } from '@mastra/core/memory';
import { product } from './product.js';

let loci: Client;
let models: FakeModels;
let projects = 0;

beforeAll(async () => {
  process.env['MASTRA_TELEMETRY_DISABLED'] = '1';
  loci = new Client({ url: (await product()).url });
  models = await FakeModels.start();
});
afterAll(() => models.close());

const freshProject = () => ({ org: 'acme-mastra', project: `mastra-${(projects += 1)}` });

const memoryOf = (given: Partial<LociMemoryOptions> = {}): LociMemory =>
  new LociMemory({ loci, ...freshProject(), agent: 'guide', ...given });

const agentWith = (memory: MastraMemory, tools = {}): Agent =>
  new Agent({
    id: 'guide',
    name: 'Guide',
    instructions: 'Be brief.',
    model: { id: 'custom/fake', url: models.openAiUrl, apiKey: 'any' },
    memory,
    tools,
    maxRetries: 0,
  });

const inThread = (resource: string, thread: string) => ({ memory: { resource, thread } });

/** What the stand-in was asked last, as text. */
const lastPrompt = (): string => JSON.stringify(models.calls().at(-1)?.body);

const callsTool = (name: string, args: object): string =>
  JSON.stringify({ tool_calls: [{ name, arguments: args }] });

describe('an agent of Mastra with memory', () => {
  test('goes on in a thread, knows in others what was said there, and nothing of another resource', async () => {
    const memory = memoryOf();
    models.reply('I like window seats.', 'Noted: window seats.');
    await agentWith(memory).generate('I like window seats.', inThread('alice', 'trip-1'));
    await agentWith(memory).generate('Go on.', inThread('alice', 'trip-1'));
    expect(models.calls().at(-1)?.body).toMatchObject({
      messages: expect.arrayContaining([
        { role: 'user', content: 'I like window seats.' },
        { role: 'assistant', content: 'Noted: window seats.' },
      ]),
    });
    await agentWith(memory).generate('Which seats do I like?', inThread('alice', 'trip-2'));
    expect(lastPrompt()).toContain('<memory>');
    expect(lastPrompt()).toContain('I like window seats.');
    expect(lastPrompt()).not.toContain('thread');
    await agentWith(memory).generate('Which seats do I like?', inThread('bob', 'trip-3'));
    expect(lastPrompt()).not.toContain('window');
    await expect(agentWith(memory).generate('Hello.', inThread('bob', 'trip-1'))).rejects.toThrow('trip-1');
    await agentWith(memory).generate('Which seats do I like?');
    expect(lastPrompt()).not.toContain('window');
  });

  test('what is streamed is stored, each message once, and read-only stores nothing', async () => {
    const memory = memoryOf();
    models.reply('I play the oboe.', 'An oboe, then.');
    const { text } = await agentWith(memory).stream('I play the oboe.', inThread('carol', 'c1'));
    expect(await text).toBe('An oboe, then.');
    const said = async () => (await memory.recall({ threadId: 'c1' })).messages.map(({ role }) => role);
    await eventually(async () => (await said()).length === 2, { what: 'both turns are stored' });
    const options = { memory: { ...inThread('carol', 'c1').memory, options: { readOnly: true } } };
    await agentWith(memory).generate('And now?', options);
    expect(await said()).toEqual(['user', 'assistant']);
  });

  test('calls of tools stay in the thread, with their results', async () => {
    const project = freshProject();
    const memory = memoryOf(project);
    const tools = memoryTools(loci.memory({ ...project, user: 'dora' }));
    models.reply('Keep that I sail.', callsTool('remember', { content: 'Dora sails.' }), 1);
    await agentWith(memory, tools).generate('Keep that I sail.', inThread('dora', 'd1'));
    const { messages } = await memory.recall({ threadId: 'd1', resourceId: 'dora' });
    expect(JSON.stringify(messages)).toContain('"toolName":"remember"');
    expect(JSON.stringify(messages)).toContain('"stored":true');
    await agentWith(memory, tools).generate('And now?', inThread('dora', 'd1'));
    expect(lastPrompt()).toContain('tool_calls');
  });

  test('messages of a thread are found by what they mean', async () => {
    const memory = memoryOf();
    await memory.createThread({ threadId: 'e1', resourceId: 'eve' });
    const said = [
      'Eve prefers window seats on long flights.',
      'The invoice of the plumber is paid.',
      'Hello.',
    ];
    await memory.saveMessages({ messages: said.map((text, n) => messageOf(`m${n}`, 'e1', text, n)) });
    const { messages } = await memory.recall({
      threadId: 'e1',
      perPage: 1,
      orderBy: { field: 'createdAt', direction: 'DESC' },
      vectorSearchString: 'Which seats does Eve prefer?',
    });
    expect(messages.map(({ id }) => id)).toContain('m0');
    expect(await memory.getWorkingMemory({ resourceId: 'eve' })).toBeNull();
    await expect(memory.updateWorkingMemory()).rejects.toThrow('memory.correct()');
  });
});

const messageOf = (id: string, threadId: string, text: string, n = 0): MastraDBMessage => ({
  id,
  threadId,
  resourceId: 'eve',
  role: 'user',
  createdAt: new Date(Date.UTC(2026, 0, 1, 10, 0, n)),
  content: { format: 2, parts: [{ type: 'text', text }] },
});

describe.each<[string, () => MastraMemory]>([
  ["Mastra's own memory", () => new MockMemory()],
  ['memory of Loci', () => memoryOf()],
])('threads of %s', (_name, make) => {
  const thread = (id: string, resourceId = 'eve', title = id) => {
    const at = new Date(Date.UTC(2026, 0, 1));
    return { id, resourceId, title, createdAt: at, updatedAt: at, metadata: { topic: 'flights' } };
  };
  const textsOf = (messages: readonly MastraDBMessage[]) =>
    messages.map(({ content: { parts } }) => (parts[0]?.type === 'text' ? parts[0].text : ''));

  test('are stored, changed in part, listed by resource and page, and deleted', async () => {
    const memory = make();
    expect(await memory.getThreadById({ threadId: 't1' })).toBeNull();
    for (const id of ['t1', 't2', 't3']) await memory.saveThread({ thread: thread(id) });
    await memory.saveThread({ thread: thread('t4', 'bob') });
    expect(await memory.getThreadById({ threadId: 't1' })).toEqual(thread('t1'));
    await memory.updateThread({ id: 't1', metadata: { seat: 'window' } });
    await memory.updateThread({ id: 't1', title: 'Seats' });
    const changed = { title: 'Seats', metadata: { topic: 'flights', seat: 'window' } };
    expect(await memory.getThreadById({ threadId: 't1' })).toMatchObject(changed);
    await expect(memory.updateThread({ id: 'none', title: 'x' })).rejects.toThrow('none');
    const ofEve = { filter: { resourceId: 'eve' } };
    expect(await memory.listThreads({ ...ofEve, page: 0, perPage: 2 })).toMatchObject({
      total: 3,
      hasMore: true,
    });
    const rest = await memory.listThreads({ ...ofEve, page: 1, perPage: 2 });
    expect(rest.threads).toHaveLength(1);
    const { total } = await memory.listThreads({ filter: { metadata: { seat: 'window' } } });
    expect(total).toBe(1);
    await memory.saveMessages({ messages: [messageOf('m1', 't1', 'Hello.')] });
    await memory.deleteThread('t1');
    expect(await memory.getThreadById({ threadId: 't1' })).toBeNull();
    expect((await memory.recall({ threadId: 't1' })).messages).toEqual([]);
  });

  test('give messages page by page, replace and delete them', async () => {
    const memory = make();
    await memory.saveThread({ thread: thread('t1') });
    const long = `木'"${'€🎻'.repeat(9_000)}`;
    const given = ['one', 'two', long, 'four'].map((text, n) => messageOf(`m${n}`, 't1', text, n));
    await memory.saveMessages({ messages: given });
    await memory.saveMessages({ messages: given });
    const all = await memory.recall({ threadId: 't1', resourceId: 'eve', perPage: false });
    expect(all.messages.map(({ content }) => content)).toMatchObject(given.map(({ content }) => content));
    expect(all.messages.map(({ createdAt }) => createdAt)).toEqual(given.map(({ createdAt }) => createdAt));
    expect((await memory.recall({ threadId: 't1', resourceId: 'bob' })).messages).toEqual([]);
    const newest = { perPage: 2, orderBy: { field: 'createdAt', direction: 'DESC' } } as const;
    const page = await memory.recall({ threadId: 't1', ...newest });
    expect(page).toMatchObject({ total: 4, hasMore: true });
    expect(textsOf(page.messages)).toEqual(['four', long]);
    await memory.saveMessages({ messages: [messageOf('m1', 't1', 'second', 1)] });
    await memory.deleteMessages(['m0', 'm2']);
    expect(textsOf((await memory.recall({ threadId: 't1' })).messages)).toEqual(['second', 'four']);
  });

  test('are cloned with their messages', async () => {
    const memory = make();
    await memory.saveThread({ thread: thread('t1') });
    await memory.saveMessages({
      messages: ['one', 'two'].map((text, n) => messageOf(`m${n}`, 't1', text, n)),
    });
    const { thread: clone } = await memory.cloneThread({ sourceThreadId: 't1', newThreadId: 't2' });
    expect(clone).toMatchObject({ id: 't2', resourceId: 'eve', title: 'Clone of t1' });
    expect(textsOf((await memory.recall({ threadId: 't2' })).messages)).toEqual(['one', 'two']);
    expect(textsOf((await memory.recall({ threadId: 't1' })).messages)).toEqual(['one', 'two']);
    await expect(memory.cloneThread({ sourceThreadId: 't1', newThreadId: 't2' })).rejects.toThrow('t2');
    await expect(memory.cloneThread({ sourceThreadId: 'none' })).rejects.toThrow('none');
  });
});
