/** What the driver gives for a value of each type that statements answer. */
interface Values {
  readonly uuid: string;
  readonly text: string;
  readonly bool: boolean;
  readonly int4: number;
  /** As text: a number has no 64 bits. */
  readonly int8: string;
  readonly float8: number;
  readonly timestamptz: Date;
  readonly date: Date;
  readonly bytea: Buffer;
  readonly json: unknown;
  readonly jsonb: unknown;
  readonly void: string;
}

type Scalar = keyof Values;

/** Types whose values can be narrower than the type says. */
type Narrowable = 'text' | 'text[]' | 'json' | 'jsonb' | 'int4';

/** A type of PostgreSQL as `pg_type` calls it; `?` when the column may be null. */
type Plain = Scalar | `${Scalar}[]` | `${Scalar}?` | `${Scalar}[]?`;

declare const value: unique symbol;

/** A column whose values are `T`. */
export type NarrowedColumn<T> = string & { readonly [value]: T };

export type RowColumns = Readonly<Record<string, Plain | NarrowedColumn<unknown>>>;

type ValueOf<Column> =
  Column extends NarrowedColumn<infer T>
    ? T
    : Column extends `${infer Type}?`
      ? ValueOf<Type> | null
      : Column extends `${infer Type extends Scalar}[]`
        ? Values[Type][]
        : Column extends Scalar
          ? Values[Column]
          : never;

/** A row with these columns. */
export type RowOf<Columns extends RowColumns> = { readonly [Name in keyof Columns]: ValueOf<Columns[Name]> };

/**
 * A column whose values the type of PostgreSQL does not say in full: the members of a JSON value, the texts that a
 * constraint of the table allows. What is narrower than the type is not tested; the type itself is.
 */
export function narrowed<T>(type: `${Narrowable}?`): NarrowedColumn<T | null>;
export function narrowed<T extends string | number | object>(type: Narrowable): NarrowedColumn<T>;
export function narrowed(type: string): NarrowedColumn<unknown> {
  return type as NarrowedColumn<unknown>;
}

/** Columns that several statements answer, by name. */
export const rowColumns = <const Columns extends RowColumns>(columns: Columns): Columns => columns;
