import { type Comparison } from './filter.js';

/** Bounds on what a filter may ask of us. */
export interface FilterLimits {
  /** In Unicode characters. */
  readonly maxLength: number;
  /** How deep parentheses and NOT may be nested. */
  readonly maxDepth: number;
  /** How many conditions there may be; an IN with its whole list is one. */
  readonly maxTerms: number;
}

export type FilterProblemType =
  | 'filter_syntax'
  | 'filter_unknown_field'
  | 'filter_value'
  | 'filter_null'
  | 'filter_too_deep'
  | 'filter_too_many_terms';

/** Ends the parsing: what is wrong (a sentence without its full stop), and where in UTF-16 units from 0. */
export type Refuse = (type: FilterProblemType, offset: number, what: string) => never;

/** A field as it was written. */
export type FieldSyntax =
  | { readonly kind: 'name'; readonly name: string; readonly offset: number }
  | { readonly kind: 'metadata'; readonly key: string; readonly offset: number };

/** A value as it was written. */
export type ValueSyntax =
  | {
      readonly kind: 'text' | 'integer' | 'decimal' | 'date';
      readonly text: string;
      readonly offset: number;
    }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly offset: number };

/** The shape of a filter, before its fields and values are resolved. */
export type FilterSyntax =
  | { readonly op: 'and' | 'or'; readonly args: readonly FilterSyntax[] }
  | { readonly op: 'not'; readonly arg: FilterSyntax }
  | {
      readonly op: 'compare';
      readonly field: FieldSyntax;
      readonly comparison: Comparison;
      readonly value: ValueSyntax;
    }
  | { readonly op: 'in'; readonly field: FieldSyntax; readonly values: readonly ValueSyntax[] }
  | { readonly op: 'present'; readonly field: FieldSyntax };

export interface FilterGrammarOptions {
  readonly limits: FilterLimits;
  readonly refuse: Refuse;
}
