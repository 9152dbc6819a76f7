export * from './eventually.js';
export * from './fleet.js';
export * from './loci.js';
export * from './test-database.js';
export * from './recording-logger.js';
export * from './fake-models/fake-models.js';
export { type Fault, type FaultKind } from './fake-models/fault.js';
export { type Prompt } from './fake-models/fake-thought.js';
export { type PromptMatcher } from './fake-models/scripted-replies.js';
