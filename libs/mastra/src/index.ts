export { LociMemory, type LociMemoryOptions } from './loci-memory.js';
export { LociProcessor, type LociProcessorOptions } from './loci-processor.js';
export { memoryTools, type MemoryToolsOptions } from './memory-tools.js';
