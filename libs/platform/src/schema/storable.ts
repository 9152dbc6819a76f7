import { type Fault } from './rules.js';

const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/** Whether PostgreSQL can store a text: not with NUL, nor with half of a surrogate pair. */
export const isStorable = (value: string): boolean =>
  !UNPAIRED_SURROGATE.test(value) && !value.includes('\0');

export const NOT_STORABLE: Fault = {
  type: 'string_unicode',
  msg: 'String should have no NUL character and no unpaired surrogate',
};
