export { memoryTools, type MemoryTools, type MemoryToolsOptions } from './memory-tools.js';
export { withMemory, type WithMemoryOptions } from './with-memory.js';
