import { type Problem } from '@loci/contracts';
import { freeForm, isStorable, NOT_STORABLE, parsedFrom, type Path, Unreadable } from '@loci/platform/schema';

/** An object whose content is the client's own business, and is stored: every text in it can be. */
export const storableObject = parsedFrom(freeForm, freeForm, (value) => {
  const [first] = unstorable(value, []);
  return first ? new Unreadable((path) => unstorable(value, path)) : value;
});

function* unstorable(value: unknown, path: Path): Generator<Problem> {
  if (typeof value === 'string' && !isStorable(value)) yield { loc: path, ...NOT_STORABLE };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key.slice(0, 128)];
    if (isStorable(key)) yield* unstorable(one, at);
    else yield { loc: at, ...NOT_STORABLE };
  }
}
