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
  ['search', SearchController.prototype, 'handle', 1],
  ['list', EpisodesController.prototype, 'list', 1],
  ['group', EpisodesController.prototype, 'group', 4],
  ['count', DeletionsController.prototype, 'preview', 4],
  ['delete', DeletionsController.prototype, 'start', 4],
] as const)('%s takes more turns for a filter with many conditions', (_, controller: object, name, usual) => {
  const handler = Reflect.get(controller, name) as object;
  const { inTurn } = Reflect.getMetadata('microservices:pattern_extras', handler) as Extras;
  expect(inTurn(ASKED)).toBe(usual);
  expect(inTurn({ ...ASKED, filter: LARGE })).toBeGreaterThan(6);
});
