import { AppError, type Filter, parseFilter } from '@loci/contracts';
import { type Place, type Reader, type Refused, REFUSED } from './place.js';
import { isStorable } from './text.js';

/** A filter (api-contract §2); undefined when blank. */
export const filter: Reader<Filter | undefined> = (value, place) => {
  if (typeof value !== 'string') return place.refuse('string_type', 'Input should be a valid string');
  return isStorable(value, place) ? parse(value, place) : REFUSED;
};

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
