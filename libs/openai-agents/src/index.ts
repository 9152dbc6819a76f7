export { LociSession } from './loci-session.js';
export { memoryTools, type MemoryToolsOptions } from './memory-tools.js';
