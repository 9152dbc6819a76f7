/**
 * Of rerankers that look at words or meaning, as the search did already: little, because with more they put hits in a worse
 * order. On LoCoMo, split dev, `bm25` takes recall@10 from 81.5 to 81.6 with a weight of 0.1, to 78.5 with 0.5 and to 68.0 alone;
 * `embedder` to 81.1, 77.0 and 58.4.
 */
export const BUILT_IN_WEIGHT = 0.1;

/** Of models behind a provider, which read query and text together. Not measured. */
export const PROVIDER_WEIGHT = 0.5;
