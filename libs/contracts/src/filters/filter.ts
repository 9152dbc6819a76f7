import { type Instant } from '../instant.js';

/** What a filter compares with. */
export type Literal =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'instant'; readonly value: Instant };

/** The fields that the system knows, in one spelling each (api-contract §2.2 has the aliases that clients may use). */
export const SYSTEM_FIELDS = [
  'uid',
  'session_key',
  'producer_id',
  'producer_role',
  'produced_for_id',
  'bound_producer',
  'episode_type',
  'content_type',
  'sequence_num',
  'content',
  'created_at',
  'updated_at',
  'set_id',
  'category_id',
  'category_name',
  'tag_id',
  'tag',
  'feature_name',
  'value',
  'subject',
  'trust',
  'recorded_at',
  'valid_from',
  'valid_until',
  'superseded_by',
] as const;

/** Those that are moments. */
export const MOMENT_FIELDS: ReadonlySet<SystemField> = new Set<SystemField>([
  'created_at',
  'updated_at',
  'recorded_at',
  'valid_from',
  'valid_until',
]);

export type SystemField = (typeof SYSTEM_FIELDS)[number];

export type FilterField =
  | { readonly kind: 'system'; readonly name: SystemField }
  | { readonly kind: 'metadata'; readonly key: string };

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * A parsed filter. Two-valued logic: a comparison with a missing value is false, and `not` of it is true
 * (api-contract §0 row 14). The fields of `MOMENT_FIELDS` are only ever compared with instants.
 */
export type Filter =
  | { readonly op: 'and'; readonly args: readonly Filter[] }
  | { readonly op: 'or'; readonly args: readonly Filter[] }
  | { readonly op: 'not'; readonly arg: Filter }
  | {
      readonly op: 'compare';
      readonly field: FilterField;
      readonly comparison: Comparison;
      readonly value: Literal;
    }
  | { readonly op: 'in'; readonly field: FilterField; readonly values: readonly Literal[] }
  | { readonly op: 'present'; readonly field: FilterField };

/** The filter that a field has this text. */
export const fieldIs = (field: FilterField, text: string): Filter => ({
  op: 'compare',
  field,
  comparison: '=',
  value: { type: 'string', value: text },
});
