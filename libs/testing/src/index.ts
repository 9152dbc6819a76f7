export * from './eventually.js';
export * from './fleet.js';
export * from './loci.js';
export * from './test-database.js';
export * from './recording-logger.js';
