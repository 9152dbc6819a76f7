/**
 * Where the rows of each table of a schema are, once these are spread over several servers: on the one that the value of a
 * column leads to, which is in each of its keys, or whole, on one server or on each, with the reason. A test compares it with
 * the tables, and with the statements that look for rows.
 */
export type Distribution = Readonly<Record<string, { readonly by: string } | { readonly whole: string }>>;

/** Of the tables that every service has in its own schema. */
export const PERSISTENCE_DISTRIBUTION = {
  dead_letters: { whole: 'messages of any tenants that could not be handled; few, for operators' },
  idempotency: { by: 'tenant' },
  migrations: { whole: 'of the deployment' },
  outbox: { whole: 'one queue for the relays, emptied every few minutes' },
  unfinished_deliveries: { whole: 'of messages that are being handled; few' },
} as const satisfies Distribution;
