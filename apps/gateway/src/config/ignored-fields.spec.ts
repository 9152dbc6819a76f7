import { expect, test } from '@jest/globals';
import { ignoredFields, namedInHeader } from './ignored-fields.js';
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

test('the header is one that clients and proxies take, however long the names are', () => {
  const names = Array.from({ length: 40 }, (_, index) => `${'\u{1F600}'.repeat(98)}${index}`);
  const header = namedInHeader(
    ignoredFields(EpisodicBody.schema, Object.fromEntries(names.map((name) => [name, 1]))),
  );
  expect(header.length).toBeLessThanOrEqual(4_096);
  expect(header.split(', ')).toEqual(names.slice(0, 3).map(encodeURIComponent));
  expect(namedInHeader(['a', 'b.c'])).toBe('a, b.c');
});
