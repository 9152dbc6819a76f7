export { numbersOf, requiredOf } from './bind.js';
export * from './json-object.js';
export * from './parsed.js';
export * from './read.js';
export {
  type Fault,
  type FieldDocumentation,
  type Limit,
  type LimitName,
  type Limits,
  limitOf,
  ruled,
  rulesOf,
  withKeywords,
} from './rules.js';
export { isStorable, NOT_STORABLE, storableText } from './storable.js';
export * from './types.js';
export { type Path, Unreadable } from './unreadable.js';
export { isUnseen } from './unseen.js';
