export * from './embedder.js';
export * from './language-model.js';
export * from './reranker.js';
export * from './local/local-embedder.js';
export * from './local/local-model.js';
export * from './lexical/bm25-encoder.js';
export * from './lexical/lexical-ranking.js';
export { type SparseVector } from './lexical/sparse-vector.js';
