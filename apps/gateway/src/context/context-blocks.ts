/**
 * The blocks of a context in their sequence, each with its heading and its share of the token budget. The shares make up
 * the whole.
 */
export const CONTEXT_BLOCKS = [
  { name: 'profile', heading: '## Profile', share: 0.2 },
  { name: 'facts', heading: '## Facts', share: 0.2 },
  { name: 'episodes', heading: '## Episodes', share: 0.4 },
  { name: 'recent', heading: '## Recent', share: 0.2, yields: true },
] as const;

export type BlockName = (typeof CONTEXT_BLOCKS)[number]['name'];
