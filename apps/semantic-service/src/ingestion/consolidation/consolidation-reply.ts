import { unavailable } from '@loci/contracts';
import { type ShownFeature } from '../extraction/feature-store.js';
import { replyText, replyValue } from '../extraction/reply-text.js';

/** Features that become one. */
export interface MergedFeature {
  /** Of all that it replaces. */
  readonly category: string;
  readonly tag: string;
  readonly name: string;
  readonly value: string;
  /** Ids of the features that it replaces: two at least. */
  readonly replaces: readonly string[];
}

/** Ids of two features that cannot hold both. */
export interface FoundContradiction {
  /** Of both. */
  readonly category: string;
  readonly uids: readonly [string, string];
}

const MAX_MERGED = 100;
/** More than so many are no finding. */
const MAX_CONTRADICTIONS = 20;

/** As in api-contract §5.7; in addition each merged memory says which ones it replaces, and pairs say what contradicts what. */
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
    contradictions: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
  },
  required: ['consolidated_memories', 'keep_memories'],
};

/**
 * Reads the merges of a reply that fits the schema. What no merge names stays, and so does what `keep_memories` names. A
 * merge of fewer than two features is left out: it would only say the same in other words. Features of several categories are
 * not merged: those of the first that is named are.
 * @param shown the features that the model was shown
 * @param maxRemoved how many features fewer there may be afterwards; a merge that goes beyond it is left out
 * @throws AppError `model_reply_unusable` for a reply whose merges name none of the features that they replace
 */
export function readConsolidation(
  reply: unknown,
  shown: readonly Pick<ShownFeature, 'uid' | 'category' | 'tag'>[],
  maxRemoved: number,
): readonly MergedFeature[] {
  const { consolidated_memories: given, keep_memories: kept } = fields(reply);
  const available = new Map(shown.map((one) => [one.uid, one]));
  for (const id of listOf(kept).map(replyText)) available.delete(id);
  const accepted: MergedFeature[] = [];
  const merges = listOf(given).map(fields);
  let removed = 0;
  for (const { tag, feature, value, replaces } of merges) {
    const named = [...new Set(listOf(replaces).map(replyText))].flatMap((id) => available.get(id) ?? []);
    const [first] = named;
    const alike = named.filter(({ category }) => category === first?.category);
    const [name, merged] = [replyText(feature), replyValue(value)];
    if (!first || !name || !merged || alike.length < 2 || removed + alike.length - 1 > maxRemoved) continue;
    for (const { uid } of alike) available.delete(uid);
    removed += alike.length - 1;
    const { category, tag: ofFirst } = alike.find((one) => one.tag === replyText(tag)) ?? first;
    accepted.push({ category, tag: ofFirst, name, value: merged, replaces: alike.map(({ uid }) => uid) });
  }
  if (merges.length > 0 && merges.every(({ replaces }) => listOf(replaces).length === 0)) {
    throw unavailable(
      'model_reply_unusable',
      'The language model did not say which features its merged ones replace; nothing was changed.',
    );
  }
  return accepted;
}

/**
 * Reads which features contradict each other. A pair that is none, or of several categories, is left out, and so are those
 * beyond {@link MAX_CONTRADICTIONS}.
 * @param shown the features that the model was shown
 */
export function readContradictions(
  reply: unknown,
  shown: readonly Pick<ShownFeature, 'uid' | 'category'>[],
): readonly FoundContradiction[] {
  const categories = new Map(shown.map(({ uid, category }) => [uid, category]));
  const pairs = listOf(fields(reply)['contradictions']).flatMap((given): FoundContradiction[] => {
    const [one, other, ...more] = [...new Set(listOf(given).map(replyText))];
    if (one === undefined || other === undefined || more.length > 0) return [];
    const category = categories.get(one);
    return category !== undefined && categories.get(other) === category
      ? [{ category, uids: [one, other] }]
      : [];
  });
  return pairs.slice(0, MAX_CONTRADICTIONS);
}

const listOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);

const fields = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null ? { ...given } : {};
