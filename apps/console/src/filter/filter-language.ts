import { filterLiteral, filterMetadataField } from '@loci/client';

/** What a list is filtered by. */
export interface FilterVocabulary {
  /** What its entries have. */
  readonly fields: readonly (readonly [name: string, what: string])[];
  /** A filter of it, as it would be written. */
  readonly example: string;
  /** What it knows of its entries, by field, to complete filters with. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
}

const MESSAGE_FIELDS = [
  ['uid', 'id of the message'],
  ['producer_id', 'who said it'],
  ['producer_role', 'role of the speaker'],
  ['produced_for_id', 'whom it was said to'],
  ['bound_producer', 'the producer that its key speaks for alone'],
  ['created_at', "when it was said: created_at >= date('2026-05-01')"],
] as const;

const WORDS = ['AND', 'OR', 'NOT', 'IN', 'IS NULL', 'IS NOT NULL'];

export interface Suggestion {
  readonly label: string;
  readonly detail?: string;
  readonly type: 'property' | 'keyword' | 'text';
}

/** What may come next, and from where on it replaces what is written. */
export interface Suggestions {
  readonly from: number;
  readonly options: readonly Suggestion[];
}

const VALUE_AFTER = /([\w.]+|m(?:etadata)?\.'(?:[^']|'')*')\s*(?:=|!=|<>)\s*('(?:[^']|'')*)?$/;

/** @param before what is written in front of the cursor */
export function suggest(before: string, { fields, values }: FilterVocabulary): Suggestions | undefined {
  const [, field, begun] = VALUE_AFTER.exec(before) ?? [];
  if (field !== undefined) {
    const known = [...(values.get(field) ?? [])].slice(0, 50);
    const from = before.length - (begun?.length ?? 0);
    return { from, options: known.map((value) => ({ label: filterLiteral(value), type: 'text' })) };
  }
  const [word = ''] = /[\w.']*$/.exec(before) ?? [];
  if (isWithinText(before)) return undefined;
  const named = new Set(fields.map(([name]) => name));
  const seen = [...values.keys()].filter((name) => !named.has(name));
  return {
    from: before.length - word.length,
    options: [
      ...fields.map(([label, detail]) => ({ label, detail, type: 'property' as const })),
      ...seen.map((label) => ({ label, type: 'property' as const })),
      ...WORDS.map((label) => ({ label, type: 'keyword' as const })),
    ],
  };
}

const isWithinText = (before: string): boolean => (before.match(/'/g)?.length ?? 0) % 2 === 1;

interface Described {
  readonly producer_id: string;
  readonly producer_role: string;
  readonly produced_for_id: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The fields and values of messages, to suggest those that there are. */
export function vocabularyOf(messages: readonly Described[]): FilterVocabulary {
  const found = new Map<string, Set<string>>();
  const add = (field: string, value: string): void => {
    if (value === '') return;
    found.set(field, (found.get(field) ?? new Set()).add(value));
  };
  for (const { producer_id, producer_role, produced_for_id, metadata = {} } of messages) {
    add('producer_id', producer_id);
    add('producer_role', producer_role);
    add('produced_for_id', produced_for_id);
    for (const [key, value] of Object.entries(metadata)) add(filterMetadataField(key), value);
  }
  return {
    fields: MESSAGE_FIELDS,
    example: "producer_id='alice' AND created_at >= date('2026-05-01')",
    values: found,
  };
}
