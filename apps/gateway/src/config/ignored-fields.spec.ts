import { expect, test } from '@jest/globals';
import { ignoredFields } from './ignored-fields.js';
import { EpisodicBody, MemoryBody } from './memory-updates.wire.js';

test('fields that nothing reads are named by their path, in sections, too', () => {
  const body = {
    semantic_memory: { llm_modell: 'x', llm_model: 'y' },
    episodic_memory: { long_term_memory: { properties_schema: { any: 'int' } }, nothing: {} },
    'ü\n': 1,
    constructor: 1,
  };
  expect(ignoredFields(MemoryBody.schema, body)).toEqual([
    'semantic_memory.llm_modell',
    'episodic_memory.nothing',
    '%C3%BC%0A',
    'constructor',
  ]);
});

test.each([null, [], 'x', {}, { enabled: true, long_term_memory: null }])('%j has none', (body) => {
  expect(ignoredFields(EpisodicBody.schema, body)).toEqual([]);
});
