import { number, oneOf } from '@loci/platform/schema';
import { optional, wholeNumber } from './settings-schema.js';

/** How a language model writes its replies; absent: as the provider has it. */
export const sampling = {
  temperature: optional(number({ minimum: 0, maximum: 2 })),
  /** Tokens that a reply may have where a request does not say so itself. */
  max_output_tokens: optional(wholeNumber({ minimum: 1, maximum: 1_000_000 })),
};

/** Of a model that thinks before it replies: how much of that. */
export const reasoning = {
  reasoning_effort: optional(oneOf(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])),
};
