import { AppError, type Filter, parseFilter } from '@loci/contracts';
import { type Place, type Reader, reader, type Refused, REFUSED } from './place.js';
import { isStorable } from './text.js';

/** A filter (api-contract §2); undefined when blank. */
export const filter: Reader<Filter | undefined> = reader(
  ({ limit }) => ({
    type: 'string',
    maxLength: limit('MAX_FILTER_CHARS'),
    format: 'loci-filter',
    description: `A condition on metadata and fields, like metadata.room='kitchen' AND created_at >= date('2024-05-01'); blank means none.`,
  }),
  (value, place) => {
    if (typeof value !== 'string') return place.refuse('string_type', 'Input should be a valid string');
    return isStorable(value, place) ? parse(value, place) : REFUSED;
  },
);

function parse(value: string, place: Place): Filter | undefined | Refused {
  try {
    return parseFilter(value, {
      maxLength: place.limit('MAX_FILTER_CHARS'),
      maxDepth: place.limit('MAX_FILTER_DEPTH'),
      maxTerms: place.limit('MAX_FILTER_TERMS'),
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'invalid') throw error;
    error.details.problems?.forEach((problem) => place.report(problem));
    return REFUSED;
  }
}
