import { invalid } from '../errors/app-error.js';
import { parse, SyntaxError } from './filter-grammar.generated.js';
import { describeSyntaxError } from './filter-syntax-error.js';
import { type FilterLimits, type Refuse } from './filter-syntax.js';
import { type Filter } from './filter.js';
import { resolveFilter } from './resolve-filter.js';

export const DEFAULT_FILTER_LIMITS: FilterLimits = { maxLength: 4096, maxDepth: 32, maxTerms: 256 };

/**
 * Reads a filter (api-contract §2, with the decisions of §0 rows 14 to 16).
 * @returns undefined for a blank text: no filter
 * @throws AppError `invalid_filter` with one problem; its `loc` ends in the position, counted in characters from 1
 */
export function parseFilter(text: string, limits: Partial<FilterLimits> = {}): Filter | undefined {
  const bounds = { ...DEFAULT_FILTER_LIMITS, ...limits };
  refuseTooLong(text, bounds.maxLength);
  if (text.trim() === '') return undefined;
  const refuse: Refuse = (type, offset, what) => {
    const position = characters(text.slice(0, offset)) + 1;
    const msg = `Filter, position ${position}: ${what}.`;
    throw invalid('invalid_filter', [{ loc: ['body', 'filter', position], msg, type }]);
  };
  try {
    return resolveFilter(parse(text, { limits: bounds, refuse }), refuse);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse('filter_syntax', error.location.start.offset, describeSyntaxError(text, error));
  }
}

function refuseTooLong(text: string, maxLength: number): void {
  if (text.length <= maxLength || characters(text) <= maxLength) return;
  const msg = `String should have at most ${maxLength} characters`;
  throw invalid('invalid_filter', [{ loc: ['body', 'filter'], msg, type: 'string_too_long' }]);
}

const characters = (text: string): number => [...text].length;
