/** SQL. Parameters 1 to 3, column by column: projects, uids, when they were added. */
export const GIVEN_EPISODES =
  'unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS given(project_uid, uid, added_at)';
