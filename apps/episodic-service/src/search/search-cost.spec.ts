import { expect, test } from '@jest/globals';
import { SearchEpisodesRequest } from '@loci/contracts';
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
