import { expect, test } from '@jest/globals';
import { mergeChanges, resolveMemory } from './memory-configuration.js';
import { MEMORY_DEFAULTS } from './memory-defaults.js';
import { MEMORY_FIELDS, resourcesNamedIn, valueOf } from './memory-fields.js';

test('without changes everything is as delivered', () => {
  expect(resolveMemory({})).toEqual(MEMORY_DEFAULTS);
  expect(resolveMemory(mergeChanges({}, { episodic: { longTerm: {} }, semantic: {} }))).toEqual(
    MEMORY_DEFAULTS,
  );
});

test('a change leaves alone what it does not mention, in every part', () => {
  const first = mergeChanges({}, { episodic: { enabled: false, shortTerm: { messageCapacity: 10 } } });
  const second = mergeChanges(first, {
    episodic: { enabled: undefined, shortTerm: { messageCapacity: undefined, llmModel: 'a' } },
    semantic: { ingestionTriggerMessages: 9 },
  });
  expect(resolveMemory(second)).toEqual({
    episodic: {
      ...MEMORY_DEFAULTS.episodic,
      enabled: false,
      shortTerm: { enabled: true, messageCapacity: 10, llmModel: 'a' },
    },
    semantic: { ...MEMORY_DEFAULTS.semantic, ingestionTriggerMessages: 9 },
  });
});

test('an empty name takes a model back', () => {
  const named = mergeChanges({}, { semantic: { llmModel: 'a' }, episodic: { shortTerm: { llmModel: 'a' } } });
  const taken = mergeChanges(named, {
    semantic: { llmModel: '' },
    episodic: { shortTerm: { llmModel: '' } },
  });
  expect(resolveMemory(taken)).toEqual(MEMORY_DEFAULTS);
});

test('a change of the backend forgets the stores of the other, unless it names new ones', () => {
  const graph = mergeChanges(
    {},
    { episodic: { longTerm: { backend: 'declarative', vectorGraphStore: 'graph' } } },
  );
  expect(resolveMemory(graph).episodic.longTerm).toMatchObject({
    vectorGraphStore: 'graph',
    vectorStore: '',
    segmentStore: '',
  });
  const event = mergeChanges(graph, { episodic: { longTerm: { backend: 'event', vectorStore: 'v' } } });
  expect(resolveMemory(event).episodic.longTerm).toMatchObject({
    vectorGraphStore: '',
    vectorStore: 'v',
    segmentStore: '',
  });
});

test('every setting as delivered has a name, and no name is there twice', () => {
  const count = (value: unknown): number =>
    typeof value === 'object' && value !== null && Object.keys(value).length > 0
      ? Object.values(value).reduce<number>((sum, one) => sum + count(one), 0)
      : 1;
  const named = MEMORY_FIELDS.filter((field) => valueOf(field, MEMORY_DEFAULTS) !== undefined);
  expect(named).toHaveLength(count(MEMORY_DEFAULTS));
  expect(new Set(MEMORY_FIELDS.map(({ path }) => path.join('.'))).size).toBe(MEMORY_FIELDS.length);
});

test('an embedder there must be; a reranker and a language model there may be', () => {
  const none = { longTerm: { embedder: '', reranker: '' }, shortTerm: { llmModel: '' } };
  expect(resourcesNamedIn({ episodic: none, semantic: { llmModel: '' } })).toEqual([
    { kind: 'embedder', name: '', loc: ['body', 'episodic_memory', 'long_term_memory', 'embedder'] },
  ]);
});
