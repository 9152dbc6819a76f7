import { expect, test } from '@jest/globals';
import { AddMemoriesBody } from '../memories/add-memories.wire.js';
import { ignoredFields, namedInHeader } from './ignored-fields.js';
import { EpisodicBody, MemoryBody } from '../config/memory-updates.wire.js';

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

test('a field that many items of a list have is named once, by the first of them', () => {
  const messages = Array.from({ length: 1_000 }, (_, at) => ({
    content: 'x',
    ...(at > 1 && { usr: 'ada' }),
  }));
  expect(ignoredFields(AddMemoriesBody.schema, { messages, metdata: {} })).toEqual([
    'messages.2.usr',
    'metdata',
  ]);
});

test('of a body with thousands of them the first twenty are named', () => {
  const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, at]));
  expect(ignoredFields(AddMemoriesBody.schema, body)).toHaveLength(20);
});

test('what is read is not named: keys of metadata, fields with defaults', () => {
  const messages = [{ content: 'x', metadata: { any: { depth: 1 } }, producer: 'ada' }];
  expect(ignoredFields(AddMemoriesBody.schema, { org_id: 'o', project_id: 'p', messages })).toEqual([]);
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
