import { type ProjectRows } from './erase-rows.sql.js';

export const FEATURES: ProjectRows = { table: 'features', key: 'set_uid, uid' };

/** What is left of a project without features, in the sequence in which it may be erased. */
export const OWNED: readonly ProjectRows[] = [
  { table: 'messages_without_set', key: 'project_uid, episode_uid' },
  { table: 'model_calls', key: 'set_uid, uid' },
  { table: 'feature_history', key: 'set_uid, uid' },
  { table: 'proposals', key: 'set_uid, uid' },
  { table: 'categories', key: 'uid' },
  { table: 'set_types', key: 'uid' },
  { table: 'sets', key: 'uid' },
  // those in sets of the organization
  { table: 'proposals', key: 'set_uid, uid', owner: 'source_project_uid' },
];

export const DELETED_EPISODES: ProjectRows = { table: 'deleted_episodes', key: 'project_uid, uid' };
