/** Why a value does not fit: a sentence and the slug that clients read. */
export class FieldProblem {
  constructor(
    readonly msg: string,
    readonly type: string,
  ) {}
}

/** One key of a configuration. `Value` is what a provider reads. */
export interface Field<Value> {
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  /** What an absent (or null) key means; undefined: it stays absent. */
  readonly default: Value | undefined;
  readonly read: (given: unknown) => Value | FieldProblem;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of a configuration, by key. */
export type Settings<F extends Fields> = {
  readonly [Key in keyof F]: F[Key] extends Field<infer Value> ? Value : never;
};

type Reader<Value> = Field<Value>['read'];

/** The key must be given. */
export const required = <Value>(read: Reader<Value>): Field<Value> => ({
  isRequired: true,
  isSecret: false,
  default: undefined,
  read,
});

/** The key may be absent; then it has the default, or is undefined. */
export function optional<Value>(read: Reader<Value>): Field<Value | undefined>;
export function optional<Value>(read: Reader<Value>, byDefault: Value): Field<Value>;
export function optional<Value>(read: Reader<Value>, byDefault?: Value): Field<Value | undefined> {
  return { isRequired: false, isSecret: false, default: byDefault, read };
}

/** The value of this key is a secret: stored as a reference or sealed, never shown. */
export const secret = <Value>(field: Field<Value>): Field<Value> => ({ ...field, isSecret: true });
