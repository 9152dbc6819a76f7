export * from './loci-client.js';
export type { components, operations, paths } from './api.generated.js';
