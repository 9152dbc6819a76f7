/**
 * How long the name of a category, a tag or a feature and the id of a subject may be, in bytes of UTF-8: two of them are in
 * one row of an index, and PostgreSQL takes no more than 2,704 bytes there (decision 0068).
 */
export const MAX_NAME_BYTES = 1_300;

/** Whether an index takes a name. A character has at most three bytes for each of its units. */
export const isIndexable = (name: string): boolean =>
  name.length * 3 <= MAX_NAME_BYTES || new TextEncoder().encode(name).length <= MAX_NAME_BYTES;
