/** The texts that an address names behind its question mark; what else is there is ignored. */
export const texts =
  <Name extends string>(...names: readonly Name[]) =>
  (search: Readonly<Record<string, unknown>>): { [Key in Name]?: string } => {
    const found: { [Key in Name]?: string } = {};
    for (const name of names) {
      const text = textOf(search[name]);
      if (text !== undefined) found[name] = text;
    }
    return found;
  };

/** A value of an address as it was written; undefined for an empty one, and for what is no text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** All but one of the fields. */
export const without = <Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  name: Name,
): Omit<Fields, Name> =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name)) as Omit<Fields, Name>;
