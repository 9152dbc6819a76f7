import { filterLiteral, filterMetadataField } from '@loci/client';

/** What a list knows of its entries, to complete filters with. */
export type FilterVocabulary = ReadonlyMap<string, ReadonlySet<string>>;

const FIELDS: readonly (readonly [name: string, what: string])[] = [
  ['uid', 'id of the message'],
  ['producer_id', 'who said it'],
  ['producer_role', 'role of the speaker'],
  ['produced_for_id', 'whom it was said to'],
  ['created_at', "when it was said: created_at >= date('2026-05-01')"],
];

const WORDS = ['AND', 'OR', 'NOT', 'IN', 'IS NULL', 'IS NOT NULL'];

/** One suggestion. */
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
export function suggest(before: string, vocabulary: FilterVocabulary): Suggestions | undefined {
  const [, field, begun] = VALUE_AFTER.exec(before) ?? [];
  if (field !== undefined) {
    const values = [...(vocabulary.get(field) ?? [])].slice(0, 50);
    const from = before.length - (begun?.length ?? 0);
    return { from, options: values.map((value) => ({ label: filterLiteral(value), type: 'text' })) };
  }
  const [word = ''] = /[\w.']*$/.exec(before) ?? [];
  if (isWithinText(before)) return undefined;
  const known = new Set(FIELDS.map(([name]) => name));
  const seen = [...vocabulary.keys()].filter((name) => !known.has(name));
  return {
    from: before.length - word.length,
    options: [
      ...FIELDS.map(([label, detail]) => ({ label, detail, type: 'property' as const })),
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
  return found;
}
