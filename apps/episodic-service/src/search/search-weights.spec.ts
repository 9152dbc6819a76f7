import { expect, test } from '@jest/globals';
import { SEARCH_WEIGHTS } from '@loci/retrieval';
import { EpisodicServiceEnv } from '../env.js';
import { searchWeights } from './search-weights.js';

test('the settings are, by default, the weights that are measured', () => {
  expect(searchWeights(new EpisodicServiceEnv())).toEqual(SEARCH_WEIGHTS);
});
