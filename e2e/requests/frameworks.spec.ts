import { createOpenAI } from '@ai-sdk/openai';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { InMemoryStore } from '@langchain/langgraph';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Annotation, END, type LangGraphRunnableConfig, START, StateGraph } from '@langchain/langgraph';
import { type BaseStore } from '@langchain/langgraph-checkpoint';
import { memoryTools, withMemory } from '@loci/ai-sdk';
import { Loci as Client, type Memory } from '@loci/client';
import { LociChatMessageHistory, LociStore } from '@loci/langchain';
import { LociProcessor, memoryTools as mastraTools } from '@loci/mastra';
import { LociSession, memoryTools as agentTools } from '@loci/openai-agents';
import { eventually, FakeModels } from '@loci/testing';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { Agent, Runner } from '@openai/agents-core';
import { OpenAIProvider } from '@openai/agents-openai';
import { generateText, isStepCount, streamText, wrapLanguageModel } from 'ai';
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

const org = 'acme-frameworks';
const freshProject = () => ({ org, project: `frameworks-${(projects += 1)}` });

async function said(memory: Memory): Promise<string[]> {
  const all: string[] = [];
  for await (const { producer, role, content } of memory.list({ kinds: ['episode'] })) {
    all.push(`${producer} (${role}): ${content}`);
  }
  return all;
}

/** What the stand-in was asked last, as text. */
const lastPrompt = (): string => JSON.stringify(models.calls().at(-1)?.body);

const callsTool = (name: string, args: object): string =>
  JSON.stringify({ tool_calls: [{ name, arguments: args }] });

describe('the AI SDK', () => {
  const modelOf = (memory: Memory, options: Parameters<typeof withMemory>[1] = {}) => {
    const openai = createOpenAI({ baseURL: models.openAiUrl, apiKey: 'any' });
    return wrapLanguageModel({
      model: openai.chat('fake'),
      middleware: withMemory(memory, options),
    });
  };

  test('a second call knows what was said in the first, and no other user does', async () => {
    const project = freshProject();
    const alice = loci.memory({ ...project, user: 'alice', agent: 'guide' });
    models.reply('I like window seats.', 'Noted: window seats.');
    await generateText({ model: modelOf(alice), prompt: 'I like window seats.' });
    expect(await said(alice)).toEqual([
      'alice (user): I like window seats.',
      'guide (assistant): Noted: window seats.',
    ]);
    await generateText({
      model: modelOf(alice),
      instructions: 'Be brief.',
      prompt: 'Which seats do I like?',
    });
    expect(lastPrompt()).toContain('Noted: window seats.');
    expect(lastPrompt().indexOf('Be brief.')).toBeLessThan(lastPrompt().indexOf('<memory>'));
    const bob = loci.memory({ ...project, user: 'bob' });
    await generateText({ model: modelOf(bob), prompt: 'Which seats do I like?' });
    expect(lastPrompt()).not.toContain('window');
  });

  test('what is streamed is stored, too', async () => {
    const memory = loci.memory({ ...freshProject(), user: 'carol' });
    models.reply('I play the oboe.', 'An oboe, then.');
    const { textStream } = streamText({ model: modelOf(memory), prompt: 'I play the oboe.' });
    let text = '';
    for await (const delta of textStream) text += delta;
    expect(text).toBe('An oboe, then.');
    const stored = eventually(async () => (await said(memory)).length === 2, {
      what: 'both turns are stored',
    });
    await expect(stored).resolves.toBe(true);
  });

  test('a model remembers and recalls by tools', async () => {
    const memory = loci.memory({ ...freshProject(), user: 'dora' });
    const model = createOpenAI({ baseURL: models.openAiUrl, apiKey: 'any' }).chat('fake');
    const ask = (prompt: string) =>
      generateText({ model, tools: memoryTools(memory), stopWhen: isStepCount(3), prompt });
    models.reply('Keep that I sail.', callsTool('remember', { content: 'Dora sails.' }), 1);
    await ask('Keep that I sail.');
    expect(await said(memory)).toEqual(['dora (user): Dora sails.']);
    models.reply('What do I do?', callsTool('recall', { query: 'What does Dora do?' }), 1);
    const { steps } = await ask('What do I do?');
    expect(JSON.stringify(steps[0]?.toolResults)).toContain('Dora sails.');
  });

  test('while memory is away a model answers without it, if that is wanted', async () => {
    const away = new Client({ url: 'http://127.0.0.1:9', maxRetries: 0 }).memory({
      ...freshProject(),
      user: 'e',
    });
    await expect(
      generateText({ model: modelOf(away), prompt: 'Hello.', maxRetries: 0 }),
    ).rejects.toMatchObject({
      code: 'connection_failed',
    });
    const errors: unknown[] = [];
    models.reply('Hello, are you there?', 'Here.');
    const model = modelOf(away, { onError: (error) => errors.push(error) });
    const { text } = await generateText({ model, prompt: 'Hello, are you there?' });
    expect(text).toBe('Here.');
    expect(errors).toHaveLength(2);
  });
});

describe('LangGraph', () => {
  // what the store in the memory of a process does is what a store does
  describe.each<[string, () => BaseStore]>([
    ['its own store', () => new InMemoryStore()],
    ['the store in Loci', () => new LociStore({ loci, ...freshProject() })],
  ])('%s', (_, make) => {
    test('puts, gets, replaces and deletes', async () => {
      const store = make();
      expect(await store.get(['a'], 'missing')).toBeNull();
      await store.put(['a', 'b'], 'k', { n: 1, text: "o'clock" });
      const first = await store.get(['a', 'b'], 'k');
      expect(first).toMatchObject({ namespace: ['a', 'b'], key: 'k', value: { n: 1, text: "o'clock" } });
      const [createdAt] = [first?.createdAt];
      await store.put(['a', 'b'], 'k', { n: 2 });
      const second = await store.get(['a', 'b'], 'k');
      expect(second).toMatchObject({ value: { n: 2 }, createdAt });
      expect(await store.search(['a', 'b'])).toHaveLength(1);
      expect(await store.get(['a'], 'k')).toBeNull();
      await store.delete(['a', 'b'], 'k');
      expect(await store.get(['a', 'b'], 'k')).toBeNull();
    });

    test('searches below a prefix, by a filter, page by page', async () => {
      const store = make();
      await store.batch(
        [1, 2, 3, 4].map((n) => ({
          namespace: ['u', n < 4 ? 'x' : 'y'],
          key: `k${n}`,
          value: { n, odd: n % 2 === 1 },
        })),
      );
      const keys = async (...args: Parameters<BaseStore['search']>): Promise<string[]> =>
        (await store.search(...args)).map(({ key }) => key);
      expect(await keys(['u'])).toEqual(['k1', 'k2', 'k3', 'k4']);
      expect(await keys(['u', 'x'])).toEqual(['k1', 'k2', 'k3']);
      expect(await keys(['u', 'x'], { limit: 1, offset: 1 })).toEqual(['k2']);
      expect(await keys(['u'], { filter: { odd: true } })).toEqual(['k1', 'k3']);
      expect(await keys(['u'], { filter: { n: { $gte: 2, $ne: 3 } } })).toEqual(['k2', 'k4']);
      expect(await keys(['u'], { filter: { n: '1' } })).toEqual([]);
      expect(await keys(['nothing'])).toEqual([]);
    });

    test('lists namespaces', async () => {
      const store = make();
      for (const namespace of [['a', 'b', 'c'], ['a', 'd', 'c'], ['e']]) await store.put(namespace, 'k', {});
      expect(await store.listNamespaces()).toEqual([['a', 'b', 'c'], ['a', 'd', 'c'], ['e']]);
      expect(await store.listNamespaces({ prefix: ['a', '*'], suffix: ['c'] })).toHaveLength(2);
      expect(await store.listNamespaces({ maxDepth: 1 })).toEqual([['a'], ['e']]);
      expect(await store.listNamespaces({ limit: 1, offset: 1 })).toEqual([['a', 'd', 'c']]);
    });

    test('reads of a batch see what was there before it', async () => {
      const store = make();
      const [before] = await store.batch([
        { namespace: ['a'], key: 'k' },
        { namespace: ['a'], key: 'k', value: { n: 1 } },
        { namespace: ['a'], key: 'k', value: { n: 2 } },
      ]);
      expect(before).toBeNull();
      expect((await store.get(['a'], 'k'))?.value).toEqual({ n: 2 });
    });
  });

  test('a graph finds what another thread has stored by what it means', async () => {
    const store = new LociStore({ loci, ...freshProject() });
    const State = Annotation.Root({ query: Annotation<string>, found: Annotation<string[]> });
    const graph = new StateGraph(State)
      .addNode('remember', async ({ query }, config: LangGraphRunnableConfig) => {
        const items = await config.store?.search(['alice'], { query, limit: 1 });
        await config.store?.put(['alice'], query, { text: query });
        return { found: items?.map(({ value }) => String(value['text'])) ?? [] };
      })
      .addEdge(START, 'remember')
      .addEdge('remember', END)
      .compile({ store });
    await graph.invoke({ query: 'Alice prefers window seats on long flights.' });
    await graph.invoke({ query: 'The invoice of the plumber is paid.' });
    const { found } = await graph.invoke({ query: 'Which seats does Alice prefer on flights?' });
    expect(found).toEqual(['Alice prefers window seats on long flights.']);
  });

  test("hostile namespaces and keys stay what they are, and one's items out of another's", async () => {
    const store = new LociStore({ loci, ...freshProject() });
    const hostile = "x' OR NOT content IN ('a') OR producer_id='";
    await store.put(['mine'], 'k', { n: 1 });
    await store.put([hostile], hostile, { n: 2 });
    expect((await store.get([hostile], hostile))?.value).toEqual({ n: 2 });
    expect(await store.search([hostile])).toHaveLength(1);
    await store.delete([hostile], hostile);
    expect((await store.get(['mine'], 'k'))?.value).toEqual({ n: 1 });
  });
});

describe('LangChain', () => {
  test('a history gives back what it was given, and memory knows what was said', async () => {
    const project = freshProject();
    const conversation = { ...project, user: 'fay', session: 's1' };
    const history = new LociChatMessageHistory(loci.conversation(conversation));
    const long = `木'"${'€🎻'.repeat(9_000)}`;
    const call = { id: 'c1', name: 'look', args: { long }, type: 'tool_call' as const };
    const given = [
      new HumanMessage('I keep bees.'),
      new AIMessage({ content: '', tool_calls: [call] }),
      new ToolMessage({ content: 'Three hives.', tool_call_id: 'c1' }),
      new AIMessage('Lovely.'),
    ];
    await history.addMessages(given);
    const read = await history.getMessages();
    expect(read.map((message) => message.toDict())).toEqual(given.map((message) => message.toDict()));
    const other = new LociChatMessageHistory(loci.conversation({ ...conversation, session: 's2' }));
    expect(await other.getMessages()).toEqual([]);
    const { text } = await loci.memory({ ...project, user: 'fay' }).context('What does Fay keep?');
    expect(text).toContain('I keep bees.');
    await history.clear();
    expect(await history.getMessages()).toEqual([]);
  });
});

describe('Mastra', () => {
  const agentOf = (memory: Memory, options: ConstructorParameters<typeof LociProcessor>[1] = {}) => {
    const processor = new LociProcessor(memory, options);
    return new MastraAgent({
      id: 'guide',
      name: 'Guide',
      instructions: 'Be brief.',
      model: { id: 'custom/fake', url: models.openAiUrl, apiKey: 'any' },
      inputProcessors: [processor],
      outputProcessors: [processor],
      tools: mastraTools(memory),
      maxRetries: 0,
    });
  };

  test('an agent knows in a second call what was said in the first, and that of another user does not', async () => {
    const project = freshProject();
    const alice = loci.memory({ ...project, user: 'alice', agent: 'guide' });
    models.reply('I like window seats.', 'Noted: window seats.');
    await agentOf(alice).generate('I like window seats.');
    expect(await said(alice)).toEqual([
      'alice (user): I like window seats.',
      'guide (assistant): Noted: window seats.',
    ]);
    await agentOf(alice, { remember: false }).generate('Which seats do I like?');
    expect(lastPrompt()).toContain('Noted: window seats.');
    expect(lastPrompt().indexOf('Be brief.')).toBeLessThan(lastPrompt().indexOf('<memory>'));
    expect(await said(alice)).toHaveLength(2);
    const bob = loci.memory({ ...project, user: 'bob' });
    await agentOf(bob).generate('Which seats do I like?');
    expect(lastPrompt()).not.toContain('window');
  });

  test('what is streamed is stored, too', async () => {
    const memory = loci.memory({ ...freshProject(), user: 'carol', agent: 'guide' });
    models.reply('I play the oboe.', 'An oboe, then.');
    const { text } = await agentOf(memory).stream('I play the oboe.');
    expect(await text).toBe('An oboe, then.');
    await eventually(async () => (await said(memory)).length === 2, { what: 'both turns are stored' });
  });

  test('an agent remembers and recalls by tools', async () => {
    const memory = loci.memory({ ...freshProject(), user: 'dora', agent: 'guide' });
    const agent = agentOf(memory, { remember: false });
    models.reply('Keep that I sail.', callsTool('remember', { content: 'Dora sails.' }), 1);
    await agent.generate('Keep that I sail.');
    expect(await said(memory)).toEqual(['dora (user): Dora sails.']);
    models.reply('What do I do?', callsTool('recall', { query: 'What does Dora do?' }), 1);
    const { toolResults } = await agent.generate('What do I do?');
    expect(JSON.stringify(toolResults)).toContain('Dora sails.');
  });

  test('while memory is away an agent answers without it, if that is wanted', async () => {
    const away = new Client({ url: 'http://127.0.0.1:9', maxRetries: 0 }).memory({
      ...freshProject(),
      user: 'e',
    });
    await expect(agentOf(away).generate('Hello.')).rejects.toThrow();
    const errors: unknown[] = [];
    models.reply('Hello, are you there?', 'Here.');
    const { text } = await agentOf(away, { onError: (error) => errors.push(error) }).generate(
      'Hello, are you there?',
    );
    expect(text).toBe('Here.');
    expect(errors).toHaveLength(2);
  });
});

describe('the OpenAI Agents SDK', () => {
  const runner = () =>
    new Runner({
      modelProvider: new OpenAIProvider({ baseURL: models.openAiUrl, apiKey: 'any' }),
      tracingDisabled: true,
    });

  test('a session goes on where it was, with its tool calls', async () => {
    const scope = { ...freshProject(), user: 'gus' };
    const agent = new Agent({ name: 'Guide', model: 'fake', tools: agentTools(loci.memory(scope)) });
    const conversation = { ...scope, session: 's1' };
    const session = new LociSession(loci.conversation(conversation));
    models.reply('Keep that I whittle.', callsTool('remember', { content: 'Gus whittles spoons.' }), 1);
    await runner().run(agent, 'Keep that I whittle.', { session });
    const items = await session.getItems();
    expect(items.map((item) => item.type)).toEqual([
      'message',
      'function_call',
      'function_call_result',
      'message',
    ]);
    expect(await session.getItems(1)).toEqual(items.slice(-1));

    await runner().run(agent, 'And now?', { session: new LociSession(loci.conversation(conversation)) });
    expect(lastPrompt()).toContain('Keep that I whittle.');
    models.reply('What do I whittle?', callsTool('recall', { query: 'What does Gus whittle?' }), 1);
    const other = new LociSession(loci.conversation({ ...scope, session: 's2' }));
    await runner().run(agent, 'What do I whittle?', { session: other });
    expect(lastPrompt()).toContain('Gus whittles spoons.');

    expect(await other.popItem()).toMatchObject({ role: 'assistant' });
    await other.clearSession();
    expect(await other.getItems()).toEqual([]);
    expect(await session.getItems()).toHaveLength(6);
  });
});
