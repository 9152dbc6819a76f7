import { type TSchema } from 'typebox';

/** A bound that the deployment sets: the name of its environment variable. */
export type LimitName = `MAX_${string}`;

/** A bound: fixed, or set by the deployment. */
export type Limit = number | LimitName;

/** The bounds that a deployment has set. */
export type Limits = object;

/** @throws Error for a limit that there is not */
export function limitOf(limits: Limits, name: LimitName): number {
  const limit: unknown = Reflect.get(limits, name);
  if (typeof limit !== 'number') throw new Error(`There is no limit ${name}.`);
  return limit;
}

/** What is wrong with a value: a stable slug in the style of pydantic 2, and a sentence. */
export interface Fault {
  readonly type: string;
  readonly msg: string;
}

/** What documents say of a field. */
export interface FieldDocumentation {
  readonly description: string;
  readonly examples?: readonly unknown[];
}

/** How a value is read, where JSON Schema has no keyword for it. */
export interface ReadRules {
  /** Keywords whose numbers the deployment sets: `{ maxLength: 'MAX_QUERY_CHARS' }`. */
  readonly limits?: Readonly<Record<string, LimitName>>;
  /** Null means the same as leaving the value out. */
  readonly nullable?: true;
  /** Turns other forms of the value into the one of the schema. What it gives is checked: it gives back what it does not know. */
  readonly coerce?: (value: unknown) => unknown;
  /** Turns the value into what we work with, or into `Unreadable`. The keywords then only describe what clients send. */
  readonly parse?: (value: unknown, limits: Limits) => unknown;
  /** Keywords that only documents have. */
  readonly published?: Readonly<Record<string, unknown>>;
  /** What documents say of the field that has the schema, beside what they say of the schema itself. */
  readonly field?: FieldDocumentation;
  /**
   * What is wrong with a value that is refused, where the keyword does not say it.
   * @param keyword that refuses the value; undefined when something inside is refused
   */
  readonly fault?: (value: unknown, keyword: string | undefined) => Fault | undefined;
}

const RULES = Symbol('rules');

interface Ruled extends TSchema {
  readonly [RULES]?: ReadRules;
}

const NONE: ReadRules = {};

export const rulesOf = (schema: TSchema): ReadRules => (schema as Ruled)[RULES] ?? NONE;

/** The schema with further rules. TypeBox copies symbols with the schema, and no document shows them. */
export const ruled = <Schema extends TSchema>(schema: Schema, rules: ReadRules): Schema =>
  withKeywords(schema, { [RULES]: { ...rulesOf(schema), ...rules } });

/** The schema with further keywords. A spread would lose what TypeBox keeps in properties that are not enumerable. */
export function withKeywords<Schema extends TSchema>(
  schema: Schema,
  keywords: Readonly<Record<string | symbol, unknown>>,
): Schema {
  const copy: Schema = Object.defineProperties(
    Object.create(null) as Schema,
    Object.getOwnPropertyDescriptors(schema),
  );
  return Object.assign(copy, keywords);
}
