import { piecesOf } from './conversation.js';
import { type Message } from './messages.js';

/** Of what a user says, as much as a search reads. */
const MAX_QUERY = 8_000;

/** Of one stored message; a longer one is stored as several. */
const MAX_MESSAGE = 100_000;

/** What memory is asked for what a user says, for adapters of frameworks: its beginning. */
export const queryOf = (said: string): string => piecesOf(said, MAX_QUERY)[0] ?? '';

/** What a user asks and a model answers, as messages to store; either may be empty. */
export const turnOf = (asked: string, answer: string): Message[] => [
  ...piecesOf(asked, MAX_MESSAGE).map((content) => ({ content })),
  ...piecesOf(answer.trim() === '' ? '' : answer, MAX_MESSAGE).map((content) => ({
    role: 'assistant',
    content,
  })),
];
