/** Browsers take them out of a path, so that no id in an address may be one. */
const DOTS = new Set(['.', '..']);

/**
 * The texts that an address names behind its question mark; what else is there is ignored. Each is named, also without a
 * value: what is not named stays as it was written.
 */
export const texts =
  <Name extends string>(...names: readonly Name[]) =>
  (search: Readonly<Record<string, unknown>>): { [Key in Name]?: string | undefined } => {
    const found: { [Key in Name]?: string | undefined } = {};
    for (const name of names) {
      const text = textOf(search[name]);
      found[name] = text === undefined || DOTS.has(text) ? undefined : text;
    }
    return found;
  };

/** A value of an address as it was written; undefined for an empty one, and for what is no text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The fields that have a value. */
export const present = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

/** All but one of the fields. */
export const without = <Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  name: Name,
): Omit<Fields, Name> =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name)) as Omit<Fields, Name>;
