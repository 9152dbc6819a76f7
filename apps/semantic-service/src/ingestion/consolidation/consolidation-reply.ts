import { internal } from '@loci/contracts';
import { storableText } from '@loci/platform/schema';

/** Features that become one. */
export interface MergedFeature {
  readonly name: string;
  readonly value: string;
  /** Ids of the features that it replaces: two at least. */
  readonly replaces: readonly string[];
}

const MAX_MERGED = 100;

/** As in api-contract §5.7; in addition each merged memory says which ones it replaces. */
export const CONSOLIDATION_SCHEMA: Readonly<Record<string, unknown>> = {
  type: 'object',
  properties: {
    consolidated_memories: {
      type: 'array',
      maxItems: MAX_MERGED,
      items: {
        type: 'object',
        properties: {
          tag: { type: 'string' },
          feature: { type: 'string', minLength: 1, maxLength: 255 },
          value: { type: 'string', minLength: 1, maxLength: 8_000 },
          replaces: { type: 'array', items: { type: 'string' } },
        },
        required: ['feature', 'value'],
      },
    },
    keep_memories: { type: 'array', items: { type: 'string' } },
  },
  required: ['consolidated_memories', 'keep_memories'],
};

/**
 * Reads the merges of a reply that fits the schema. What no merge names stays, and so does what `keep_memories` names. A
 * merge of fewer than two features is left out: it would only say the same in other words.
 * @param ids of the features that the model was shown
 * @param maxRemoved how many features fewer there may be afterwards; a merge that goes beyond it is left out
 * @throws AppError `model_reply_unusable` for a reply whose merges name none of the features that they replace
 */
export function readConsolidation(
  reply: unknown,
  ids: readonly string[],
  maxRemoved: number,
): readonly MergedFeature[] {
  const { consolidated_memories: given, keep_memories: kept } = fields(reply);
  const available = new Set(ids);
  for (const id of listOf(kept).map(textOf)) available.delete(id);
  const accepted: MergedFeature[] = [];
  const merges = listOf(given).map(fields);
  let removed = 0;
  for (const { feature, value, replaces } of merges) {
    const named = [...new Set(listOf(replaces).map(textOf))].filter((id) => available.has(id));
    const merged = { name: textOf(feature), value: textOf(value), replaces: named };
    if (!merged.name || !merged.value || named.length < 2 || removed + named.length - 1 > maxRemoved)
      continue;
    for (const id of named) available.delete(id);
    removed += named.length - 1;
    accepted.push(merged);
  }
  if (merges.length > 0 && merges.every(({ replaces }) => listOf(replaces).length === 0)) {
    throw internal(
      'model_reply_unusable',
      'The language model did not say which features its merged ones replace; nothing was changed.',
    );
  }
  return accepted;
}

const listOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);

const textOf = (given: unknown): string => (typeof given === 'string' ? storableText(given).trim() : '');

const fields = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null ? { ...given } : {};
