import { type Provider } from '@nestjs/common';
import { IndexComparison } from './index-comparison.js';
import { IndexReconciler } from './index-reconciler.js';
import { IndexSweeper } from './index-sweeper.js';
import { IndexUpkeep } from './index-upkeep.js';
import { WordUpkeep } from '../words/word-upkeep.js';
import { LostIndexes } from './lost-indexes.js';

/** What a worker keeps its vector index right with, and the statistics of words. Needs the modules of `IndexVersionsModule` and `Sweeps`. */
export const INDEX_UPKEEP_PROVIDERS: Provider[] = [
  IndexComparison,
  IndexReconciler,
  IndexSweeper,
  IndexUpkeep,
  LostIndexes,
  WordUpkeep,
];
