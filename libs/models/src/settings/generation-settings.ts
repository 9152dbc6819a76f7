import { number, oneOf } from '@loci/platform/schema';
import { optional, wholeNumber } from './settings-schema.js';

/** The highest temperature of most providers. */
const MAX_TEMPERATURE = 2;

/** How a language model writes its replies; absent: as the provider has it. */
export const samplingUpTo = (maximum: number) => ({
  temperature: optional(number({ minimum: 0, maximum })),
  /** Tokens that a reply may have where a request does not say so itself. */
  max_output_tokens: optional(wholeNumber({ minimum: 1, maximum: 1_000_000 })),
});

export const sampling = samplingUpTo(MAX_TEMPERATURE);

/** Of a model that thinks before it replies: how much of that. */
export const reasoning = {
  reasoning_effort: optional(oneOf(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])),
};
