/** SQL: the day in UTC. */
export const TODAY = `(now() AT TIME ZONE 'UTC')::date`;
