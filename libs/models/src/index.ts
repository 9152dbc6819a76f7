export * from './embedder.js';
export * from './language-model.js';
export * from './reranker.js';
export * from './rerankers/reranking.js';
export * from './model-factory.js';
export { type CallLimits, DEFAULT_LIMITS, DEFAULT_MAX_REPLY_BYTES } from './calls/call-limits.js';
export { countTokens } from './tokens/count-tokens.js';
export * from './egress/egress-policy.js';
export * from './resources/model-peers.js';
export * from './resources/parse-resource-config.js';
export * from './resources/probe-result.js';
export * from './resource-definition.js';
export {
  DEFAULT_SECRET_PREFIX,
  forbiddenReference,
  isReference,
  type References,
} from './secrets/references.js';
export * from './secrets/key-ring.js';
export * from './secrets/seal-config.js';
export * from './secrets/secret-box.js';
export * from './secrets/secret-context.js';
export * from './local/local-embedder.js';
export * from './local/local-model.js';
export * from './lexical/bm25-encoder.js';
export * from './lexical/lexical-ranking.js';
export { type SparseVector } from './lexical/sparse-vector.js';
