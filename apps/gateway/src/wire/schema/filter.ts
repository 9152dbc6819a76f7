import { AppError, type Filter, parseFilter } from '@loci/contracts';
import {
  limitOf,
  type Limits,
  parsedFrom,
  ruled,
  text,
  Unreadable,
  withKeywords,
} from '@loci/platform/schema';

/** A filter (api-contract §2); undefined when blank. */
export const filter = parsedFrom(
  withKeywords(ruled(text('MAX_FILTER_CHARS'), { published: {} }), {
    format: 'loci-filter',
    description: `A condition on metadata and fields, like metadata.room='kitchen' AND created_at >= date('2024-05-01'); blank means none.`,
  }),
  text(Number.MAX_SAFE_INTEGER),
  parse,
);

function parse(value: string, limits: Limits): Filter | undefined | Unreadable {
  try {
    return parseFilter(value, {
      maxLength: limitOf(limits, 'MAX_FILTER_CHARS'),
      maxDepth: limitOf(limits, 'MAX_FILTER_DEPTH'),
      maxTerms: limitOf(limits, 'MAX_FILTER_TERMS'),
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'invalid') throw error;
    return new Unreadable(() => error.details.problems ?? []);
  }
}
