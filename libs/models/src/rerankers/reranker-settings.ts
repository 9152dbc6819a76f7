import { number, oneOf, refusedAs } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { required, someText, wholeNumber, withDefault } from '../settings/settings-schema.js';

export const bm25Schema = Type.Object({
  k1: withDefault(number({ minimum: 0, maximum: 100 }), 1.5),
  b: withDefault(number({ minimum: 0, maximum: 1 }), 0.75),
  /** Floor of a term's weight, as a part of the average one. */
  epsilon: withDefault(number({ minimum: 0, maximum: 1 }), 0.25),
  /** `default`: stems, no stop words; `simple`: words as they are. */
  tokenizer: withDefault(oneOf(['default', 'simple']), 'default'),
  language: withDefault(oneOf(['english']), 'english'),
});

export const embedderRerankerSchema = Type.Object({
  /** Name of a registered embedder. */
  embedder_id: required(someText),
});

const names = refusedAs(
  Type.Unsafe<readonly string[]>({ type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 }),
  'list_type',
  'Input should be a list of at least one name',
);

export const rrfHybridSchema = Type.Object({
  /** Names of registered rerankers. */
  reranker_ids: required(names),
  k: withDefault(wholeNumber({ minimum: 1, maximum: 1_000_000 }), 60),
});

export type Bm25Settings = Static<typeof bm25Schema>;
