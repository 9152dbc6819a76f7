export * from './calibration.js';
export * from './dialogue-ranking.js';
export * from './diversity.js';
export * from './own-scores.js';
export * from './participants.js';
export * from './question-cues.js';
export * from './similarity-curves.js';
export * from './time-spans.js';
