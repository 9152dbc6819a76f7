import { type ModelUsage } from '@loci/models';

/** What a million tokens cost, in whatever currency the deployment counts. */
export interface ModelPrices {
  readonly inputPerMillion: number;
  /** Of what the provider had kept from a former request. */
  readonly cachedPerMillion: number;
  readonly outputPerMillion: number;
}

/**
 * The prices that stand in the configuration of a model as `input_price_per_million`, `cached_input_price_per_million` (by
 * default that of other input) and `output_price_per_million`.
 * @returns undefined when neither does
 */
export function pricesIn(config: Readonly<Record<string, unknown>>): ModelPrices | undefined {
  const input = config['input_price_per_million'];
  const output = config['output_price_per_million'];
  if (typeof input !== 'number' && typeof output !== 'number') return undefined;
  const cached = config['cached_input_price_per_million'];
  const inputPerMillion = typeof input === 'number' ? input : 0;
  return {
    inputPerMillion,
    cachedPerMillion: typeof cached === 'number' ? cached : inputPerMillion,
    outputPerMillion: typeof output === 'number' ? output : 0,
  };
}

export const costOf = (
  { inputTokens, cachedTokens = 0, outputTokens }: ModelUsage,
  { inputPerMillion, cachedPerMillion, outputPerMillion }: ModelPrices,
): number =>
  ((inputTokens - cachedTokens) * inputPerMillion +
    cachedTokens * cachedPerMillion +
    outputTokens * outputPerMillion) /
  1_000_000;
