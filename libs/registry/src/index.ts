export * from './embedded-embedder.js';
export * from './registry.js';
export * from './registry.module.js';
export * from './registry-source.js';
export * from './reranker-named.js';
export * from './resource-parts.js';
export * from './secret-keys.js';
