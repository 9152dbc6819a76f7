export * from './filters/compile-pushdown.js';
export * from './qdrant/qdrant-vector-index.js';
export * from './vector-index.js';
