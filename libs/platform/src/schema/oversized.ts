import { type JsonObject } from './json-object.js';

const SIZES = new WeakMap<object, number>();

/**
 * What stands in for a map with too many keys: its first ones, so that it is refused as the whole is, in a time that does
 * not depend on its size.
 */
export function beginningOf(map: JsonObject, keys: readonly string[], length: number): JsonObject {
  const beginning = Object.fromEntries(keys.slice(0, length).map((key) => [key, map[key]]));
  SIZES.set(beginning, keys.length);
  return beginning;
}

/** How many keys a map has, or the one has that it stands in for. */
export const sizeOf = (map: JsonObject): number => SIZES.get(map) ?? Object.keys(map).length;
