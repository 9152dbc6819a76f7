export * from './filters/compile-pushdown.js';
export * from './qdrant/qdrant-vector-index.js';
export { PAYLOAD_KEYS } from './filters/payload-keys.js';
export { toPointStruct } from './qdrant/point-struct.js';
export * from './vector-index.js';
