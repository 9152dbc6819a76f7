import { type ModelUsage } from '@loci/models';

/** What a million tokens cost, in whatever currency the deployment counts. */
export interface ModelPrices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

/**
 * The prices that stand in the configuration of a model as `input_price_per_million` and `output_price_per_million`.
 * @returns undefined when neither does
 */
export function pricesIn(config: Readonly<Record<string, unknown>>): ModelPrices | undefined {
  const input = config['input_price_per_million'];
  const output = config['output_price_per_million'];
  if (typeof input !== 'number' && typeof output !== 'number') return undefined;
  return {
    inputPerMillion: typeof input === 'number' ? input : 0,
    outputPerMillion: typeof output === 'number' ? output : 0,
  };
}

export const costOf = (
  { inputTokens, outputTokens }: ModelUsage,
  { inputPerMillion, outputPerMillion }: ModelPrices,
): number => (inputTokens * inputPerMillion + outputTokens * outputPerMillion) / 1_000_000;
