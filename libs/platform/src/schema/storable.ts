import { MAX_NAME_BYTES } from '@loci/contracts';
import { type Fault } from './rules.js';

const UNPAIRED_SURROGATE = /\p{Surrogate}/u;
const UNPAIRED_SURROGATES = /\p{Surrogate}/gu;

/** Whether PostgreSQL can store a text: not with NUL, nor with half of a surrogate pair. */
export const isStorable = (value: string): boolean =>
  !UNPAIRED_SURROGATE.test(value) && !value.includes('\0');

/** A text as PostgreSQL can store it: without NUL, and with U+FFFD in place of each half of a surrogate pair. */
export const storableText = (value: string): string =>
  value.replaceAll('\0', '').replaceAll(UNPAIRED_SURROGATES, '\uFFFD');

export const NOT_STORABLE: Fault = {
  type: 'string_unicode',
  msg: 'String should have no NUL character and no unpaired surrogate',
};

/** A text that `isIndexable` refuses. */
export const NOT_INDEXABLE: Fault = {
  type: 'string_too_long',
  msg: `String should have at most ${MAX_NAME_BYTES} bytes in UTF-8`,
};
