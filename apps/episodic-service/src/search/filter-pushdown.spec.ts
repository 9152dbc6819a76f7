import { expect, test } from '@jest/globals';
import { type Filter, fieldIs, SearchEpisodesRequest } from '@loci/contracts';
import { pushdownOf } from './filter-pushdown.js';
import { costOfSearch } from './search-cost.js';

test('the filter of a search is compiled once, when its turns are counted', () => {
  let reads = 0;
  const filter: Filter = {
    op: 'and',
    get args() {
      reads += 1;
      return [fieldIs({ kind: 'metadata', key: 'user_id' }, 'mira')];
    },
  };
  const request = { query: 'Where?', topK: 10, expandContext: 0, filter };
  costOfSearch(Object.assign(new SearchEpisodesRequest(), request));
  const readToCount = reads;
  expect(pushdownOf(filter).exact).toBe(true);
  expect(reads).toBe(readToCount);
});
