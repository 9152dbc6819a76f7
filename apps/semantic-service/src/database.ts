/** The PostgreSQL schema that this service owns. */
export const SCHEMA = 'semantic';

/** A `timestamptz` as an Instant; a Date would drop the microseconds. */
export const instantText = (expression: string): string =>
  `to_char((${expression}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
