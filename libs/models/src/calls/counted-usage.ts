import { type ModelUsage } from '../language-model.js';

/** More than any model takes in one call: a provider that tells of more is not believed. */
const MAX_TOKENS = 100_000_000;

/**
 * What a provider says that a call cost, as numbers that can be added up and stored: what is no whole number from 0 to
 * 100 million counts as 0. SDKs pass on whatever a server sent.
 */
export const countedUsage = ({ inputTokens, cachedTokens, outputTokens }: ModelUsage): ModelUsage => ({
  inputTokens: counted(inputTokens),
  ...(cachedTokens !== undefined && { cachedTokens: counted(cachedTokens) }),
  outputTokens: counted(outputTokens),
});

const counted = (tokens: unknown): number =>
  typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= 0 && tokens <= MAX_TOKENS ? tokens : 0;
