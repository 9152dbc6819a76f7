import { number } from '@loci/platform/schema';
import { optional, withDefault } from './settings-schema.js';

/** Seconds; the longest pause that a provider may ask for before the call is given up. */
export const maxRetryInterval = withDefault(number({ exclusiveMinimum: 0 }), 120);

/** What a million tokens cost: nothing here depends on it, it is what usage is reckoned with. */
export const prices = {
  input_price_per_million: optional(number({ minimum: 0 })),
  /** Of input that the provider had kept from a former request; absent: as other input. */
  cached_input_price_per_million: optional(number({ minimum: 0 })),
  output_price_per_million: optional(number({ minimum: 0 })),
};
