const PLAIN_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * A table with its schema, quoted, for SQL text.
 * @throws Error when a name is anything but lower-case letters, digits and underscores
 */
export function qualified(schema: string, table: string): string {
  return `${quoted(schema)}.${quoted(table)}`;
}

/** A name of ours, quoted, for SQL text. Names never come from users. */
export function quoted(name: string): string {
  if (!PLAIN_NAME.test(name)) throw new Error(`"${name}" is no name for a schema or a table.`);
  return `"${name}"`;
}
