import { integer, names, number, oneOf, text } from '../resources/field-readers.js';
import { type Fields, optional, required, type Settings } from '../resources/fields.js';

export const bm25Fields = {
  k1: optional(number({ atLeast: 0, atMost: 100 }), 1.5),
  b: optional(number({ atLeast: 0, atMost: 1 }), 0.75),
  /** Floor of a term's weight, as a part of the average one. */
  epsilon: optional(number({ atLeast: 0, atMost: 1 }), 0.25),
  /** `default`: stems, no stop words; `simple`: words as they are. */
  tokenizer: optional(oneOf('default', 'simple'), 'default'),
  language: optional(oneOf('english'), 'english'),
} satisfies Fields;

export const embedderRerankerFields = {
  /** Name of a registered embedder. */
  embedder_id: required(text({ minLength: 1 })),
} satisfies Fields;

export const rrfHybridFields = {
  /** Names of registered rerankers. */
  reranker_ids: required(names),
  k: optional(integer({ atLeast: 1, atMost: 1_000_000 }), 60),
} satisfies Fields;

export type Bm25Settings = Settings<typeof bm25Fields>;
