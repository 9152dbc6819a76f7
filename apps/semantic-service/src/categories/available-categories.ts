import { type AvailableCategory, type BuiltInCategory } from './category.js';

export interface CategorySources {
  /** The set's own. */
  readonly own: readonly AvailableCategory[];
  /** Templates of the type of the set. */
  readonly inherited: readonly AvailableCategory[];
  readonly builtIn: readonly BuiltInCategory[];
  readonly disabled: ReadonlySet<string>;
}

/**
 * What is at work in a set: its own categories, then templates that it does not override by name, then built-in ones that
 * nothing overrides. A set can do without an inherited or a built-in one; its own are removed instead.
 */
export function availableCategories({
  own,
  inherited,
  builtIn,
  disabled,
}: CategorySources): AvailableCategory[] {
  const brought = builtIn.map((category) => ({ ...category, uid: undefined, origin: 'built_in' as const }));
  const available = new Map(own.map((category) => [category.name, category]));
  for (const category of [...inherited, ...brought]) {
    if (!disabled.has(category.name) && !available.has(category.name)) available.set(category.name, category);
  }
  return [...available.values()];
}
