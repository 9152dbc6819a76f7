import { expect, test } from '@jest/globals';
import { type Filter, fieldIs } from '@loci/contracts';
import { DeletionsController } from '../deletions/deletions.controller.js';
import { SearchController } from '../search/search.controller.js';
import { EpisodesController } from './episodes.controller.js';

const LARGE: Filter = {
  op: 'and',
  args: Array.from({ length: 120 }, (_, n) => fieldIs({ kind: 'metadata', key: `k${n}` }, 'x')),
};
const ASKED = { query: 'tea', topK: 10, expandContext: 0, pageSize: 10 };

interface Extras {
  readonly inTurn: (request: object) => number;
}

test.each([
  ['search', SearchController.prototype, 'handle'],
  ['list', EpisodesController.prototype, 'list'],
  ['group', EpisodesController.prototype, 'group'],
  ['count', DeletionsController.prototype, 'preview'],
] as const)('%s takes more turns for a filter with many conditions', (_, controller: object, name) => {
  const handler = Reflect.get(controller, name) as object;
  const { inTurn } = Reflect.getMetadata('microservices:pattern_extras', handler) as Extras;
  expect(inTurn(ASKED)).toBe(1);
  expect(inTurn({ ...ASKED, filter: LARGE })).toBeGreaterThan(6);
});
