import { internal } from '@loci/contracts';

/** What a model makes of the features of a tag. */
export interface Consolidation {
  readonly keep: ReadonlySet<string>;
  readonly merged: readonly { readonly name: string; readonly value: string }[];
}

const MAX_MERGED = 100;

/** As in api-contract §5.7, and the ids to delete by name: silence deletes nothing. */
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
        },
        required: ['feature', 'value'],
      },
    },
    keep_memories: { type: 'array', items: { type: 'string' } },
    delete_memories: { type: 'array', items: { type: 'string' } },
  },
  required: ['consolidated_memories', 'keep_memories'],
};

/**
 * Reads a reply that fits the schema.
 * @param ids of the features that the model was shown
 * @throws AppError `model_reply_unusable` for a reply that keeps and makes nothing, unless it names each to delete
 */
export function readConsolidation(reply: unknown, ids: readonly string[]): Consolidation {
  const { consolidated_memories: given, keep_memories: kept, delete_memories: deleted } = fields(reply);
  const merged = listOf(given).map((one) => {
    const { feature, value } = fields(one);
    return { name: textOf(feature), value: textOf(value) };
  });
  const keep = new Set(listOf(kept).map(textOf));
  const named = new Set(listOf(deleted).map(textOf));
  const isEmptying = merged.length === 0 && !ids.some((id) => keep.has(id));
  if (isEmptying && !ids.every((id) => named.has(id))) {
    throw internal(
      'model_reply_unusable',
      'The language model would delete every feature of a tag without naming each; nothing was changed.',
    );
  }
  return { keep, merged: merged.filter(({ name, value }) => name && value) };
}

const listOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);

const textOf = (given: unknown): string =>
  typeof given === 'string' ? given.replaceAll('\0', '').trim() : '';

const fields = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null ? { ...given } : {};
