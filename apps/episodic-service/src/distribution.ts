import { INDEX_DISTRIBUTION } from '@loci/indexing';
import { type Distribution, PERSISTENCE_DISTRIBUTION } from '@loci/persistence';

/** All rows of a project are on one server. */
export const DISTRIBUTION: Distribution = {
  ...PERSISTENCE_DISTRIBUTION,
  ...INDEX_DISTRIBUTION,
  deletions: { by: 'project_uid' },
  episodes: { by: 'project_uid' },
  projects: { whole: 'the register of projects: a name is unique in its organization, whatever its uid' },
  summaries: { by: 'project_uid' },
  work_leases: { whole: 'of the workers' },
};
