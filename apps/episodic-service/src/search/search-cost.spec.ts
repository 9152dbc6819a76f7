import { expect, test } from '@jest/globals';
import { type Filter, SearchEpisodesRequest } from '@loci/contracts';
import { costOfSearch } from './search-cost.js';

const search = (asked: Partial<SearchEpisodesRequest>): SearchEpisodesRequest =>
  Object.assign(new SearchEpisodesRequest(), { query: 'Where is it?', topK: 10, expandContext: 0, ...asked });

test.each([
  [{}, 1],
  [{ topK: 40, expandContext: 3 }, 1],
  [{ explain: true }, 1],
  [{ topK: 1_000 }, 20],
  [{ topK: 1_000, explain: true }, 40],
  [{ topK: 100, expandContext: 50 }, 12],
  [{ query: 'x'.repeat(17_000) }, 5],
])('a search with %j is worth %d', (asked, cost) => {
  expect(costOfSearch(search(asked))).toBe(cost);
});

const compared = (key: string, comparison: '=' | '>'): Filter => ({
  op: 'compare',
  field: { kind: 'metadata', key },
  comparison,
  value: { type: 'string', value: 'mira' },
});

const allOf = (count: number, comparison: '=' | '>'): Filter => ({
  op: 'and',
  args: Array.from({ length: count }, (_, n) => compared(`key${n}`, comparison)),
});

test.each([
  ['of a user', compared('user_id', '='), 1],
  ['that the index cannot decide', compared('age', '>'), 3],
  ['with many conditions', { op: 'not', arg: allOf(48, '=') } satisfies Filter, 4],
  ['with many conditions that the index cannot decide', allOf(48, '>'), 6],
])('a search with a filter %s', (_, filter, cost) => {
  expect(costOfSearch(search({ filter }))).toBe(cost);
});
