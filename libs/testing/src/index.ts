export * from './eventually.js';
export * from './loci.js';
