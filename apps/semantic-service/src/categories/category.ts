/** A name and what it means, in the words of the prompt. */
export type TagDescriptions = Readonly<Record<string, string>>;

/** What the product brings along. */
export interface BuiltInCategory {
  readonly name: string;
  readonly prompt: string;
  readonly tags: TagDescriptions;
}

/** A category that a client made: of one set, or a template that every set of a type inherits. */
export interface Category {
  readonly uid: string;
  readonly parent: { readonly setUid: string } | { readonly setTypeUid: string };
  readonly name: string;
  readonly prompt: string;
  readonly description: string | undefined;
  /** How long its features hold without being said again; undefined: for good. */
  readonly ttlSeconds?: number | undefined;
}

/** A category at work in a set. */
export interface AvailableCategory {
  /** Absent for a built-in one. */
  readonly uid: string | undefined;
  readonly origin: 'set' | 'set_type' | 'built_in';
  readonly name: string;
  readonly prompt: string;
  readonly tags: TagDescriptions;
}

export type NamedCategory = Pick<Category, 'uid' | 'name'>;
