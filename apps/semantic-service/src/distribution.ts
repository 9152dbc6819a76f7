import { INDEX_DISTRIBUTION } from '@loci/indexing';
import { type Distribution, PERSISTENCE_DISTRIBUTION } from '@loci/persistence';

const CONFIGURATION = 'written by people, not by agents; few, and read with the rows of any set';

/**
 * All rows of a set are on one server. A set belongs to one project or to one organization, and its uid is made of their
 * names: by the organization alone, the largest one could not outgrow a server.
 */
export const DISTRIBUTION: Distribution = {
  ...PERSISTENCE_DISTRIBUTION,
  ...INDEX_DISTRIBUTION,
  categories: { whole: CONFIGURATION },
  category_tags: { whole: CONFIGURATION },
  citations: { by: 'set_uid' },
  deleted_episodes: { by: 'project_uid' },
  disabled_categories: { by: 'set_uid' },
  feature_history: { by: 'set_uid' },
  features: { by: 'set_uid' },
  ingestion_consolidations: { by: 'set_uid' },
  ingestion_counts: { whole: 'counters of the deployment' },
  ingestion_cursors: { whole: 'positions of the workers in the order of adding' },
  ingestion_dead_letters: { by: 'set_uid' },
  ingestion_failures: { by: 'set_uid' },
  ingestion_jobs: { by: 'set_uid' },
  ingestion_messages: { by: 'set_uid' },
  ingestion_orgs: { by: 'org_id' },
  ingestion_progress: { by: 'set_uid' },
  ingestion_queues: { by: 'org_id' },
  ingestion_unfinished: { by: 'set_uid' },
  ingestion_usage: { by: 'org_id' },
  messages_without_set: { by: 'project_uid' },
  model_calls: { by: 'set_uid' },
  model_quota_use: { by: 'org_id' },
  projects: { whole: 'the register of projects: a name is unique in its organization, whatever its uid' },
  proposals: { by: 'set_uid' },
  quota_limits: { by: 'org_id' },
  set_counts: { by: 'org_id' },
  set_types: { whole: CONFIGURATION },
  sets: { by: 'uid' },
  work_leases: { whole: 'of the workers' },
};
