import { number } from '@loci/platform/schema';
import { optional, wholeNumber, withDefault } from './settings-schema.js';

/** Seconds; the longest pause that a provider may ask for before the call is given up. */
export const maxRetryInterval = withDefault(number({ exclusiveMinimum: 0 }), 120);

/** Of the vectors of an embedder; absent: those that its model gives by itself. */
/** What Qdrant takes of a dense vector (its limit of `vectors.size`). */
export const MAX_DIMENSIONS = 65_536;

export const dimensions = optional(wholeNumber({ minimum: 1, maximum: MAX_DIMENSIONS }));

/** Characters of a text that a model reads. An embedder splits longer ones evenly and averages their vectors. */
export const inputLength = wholeNumber({ minimum: 2, maximum: 10_000_000 });

/** What a million tokens cost: nothing here depends on it, it is what usage is reckoned with. */
export const prices = {
  input_price_per_million: optional(number({ minimum: 0 })),
  /** Of input that the provider had kept from a former request; absent: as other input. */
  cached_input_price_per_million: optional(number({ minimum: 0 })),
  output_price_per_million: optional(number({ minimum: 0 })),
};
