export * from './dialogue-ranking.js';
export * from './diversity.js';
export * from './fusion.js';
export * from './time-spans.js';
