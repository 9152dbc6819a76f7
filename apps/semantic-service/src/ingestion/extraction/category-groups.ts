import { countTokens } from '@loci/platform';
import { type IngestionCategory } from './extraction-prompt.js';
import { type WaitingMessage } from './waiting-message.js';

/** What the prompts of the categories of one call may take together: with its messages, a quarter of a context of 64,000. */
export const MAX_CATEGORY_TOKENS = 8_000;

/** A category, and the messages that it reads next. */
export interface NextOfCategory {
  readonly category: IngestionCategory;
  readonly messages: readonly WaitingMessage[];
}

/** Categories that one call serves. */
export interface CategoryGroup {
  readonly categories: readonly IngestionCategory[];
  readonly messages: readonly WaitingMessage[];
}

/** Those that read the same messages next, as many together as fit into one call, in their sequence. */
export function groupsOf(
  next: readonly NextOfCategory[],
  maxTokens = MAX_CATEGORY_TOKENS,
): readonly CategoryGroup[] {
  const groups: { categories: IngestionCategory[]; messages: readonly WaitingMessage[]; tokens: number }[] =
    [];
  for (const { category, messages } of next) {
    const tokens = tokensOf(category);
    const group = groups.find((one) => one.tokens + tokens <= maxTokens && areSame(one.messages, messages));
    if (group) {
      group.categories.push(category);
      group.tokens += tokens;
    } else groups.push({ categories: [category], messages, tokens });
  }
  return groups;
}

/** Both halves of a group that did not fit into one call after all. */
export function halvesOfGroup({ categories, messages }: CategoryGroup): readonly CategoryGroup[] {
  const middle = Math.ceil(categories.length / 2);
  return [categories.slice(0, middle), categories.slice(middle)].map((half) => ({
    categories: half,
    messages,
  }));
}

/** What their prompts take of a call. */
export const tokensOfCategories = (categories: readonly IngestionCategory[]): number =>
  categories.reduce((sum, category) => sum + tokensOf(category), 0);

function tokensOf({ name, prompt, tags }: IngestionCategory): number {
  return countTokens([name, prompt, ...[...tags].flat()].join('\n'));
}

const areSame = (a: readonly WaitingMessage[], b: readonly WaitingMessage[]): boolean =>
  a.length === b.length && a.every(({ episodeUid }, index) => episodeUid === b[index]?.episodeUid);
