import { ReembeddingJobs } from './reembedding-jobs.js';
import { ReembeddingPlanner } from './reembedding-planner.js';
import { RetiredIndexVersions } from './retired-index-versions.js';
import { IndexVersionBuilder } from './index-version-builder.js';

/**
 * The worker's side of changing embedders: begin to build, build, switch, remove what is left behind. For a module that
 * has the `ContentIndexer` and the `IndexedContent` of its service.
 */
export const REEMBEDDING_PROVIDERS = [
  ReembeddingPlanner,
  IndexVersionBuilder,
  RetiredIndexVersions,
  ReembeddingJobs,
];
