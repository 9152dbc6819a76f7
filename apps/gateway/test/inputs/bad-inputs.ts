import { BROKEN_BODIES } from './bodies.js';
import { BAD_CONFIGURATION } from './configuration.js';
import { BAD_FILTERS } from './filters.js';
import { BAD_IDENTIFIER_INPUTS } from './identifiers.js';
import { type Input } from './input.js';
import { BAD_INGESTION_INPUTS } from './ingestion.js';
import { BAD_MESSAGES } from './messages.js';
import { OTHER_BAD_INPUTS } from './others.js';
import { BAD_QUERIES } from './queries.js';
import { BAD_TIMES } from './times.js';
import { BAD_SEMANTIC_INPUTS } from './semantic.js';
import { WRONG_MEDIA, WRONG_ROUTES } from './routes.js';

/** Refused by the gateway itself: no service ever hears of them. */
export const BAD_INPUTS: readonly Input[] = [
  ...BROKEN_BODIES,
  ...WRONG_MEDIA,
  ...WRONG_ROUTES,
  ...BAD_IDENTIFIER_INPUTS,
  ...BAD_MESSAGES,
  ...BAD_FILTERS,
  ...BAD_QUERIES,
  ...BAD_TIMES,
  ...BAD_CONFIGURATION,
  ...OTHER_BAD_INPUTS,
  ...BAD_SEMANTIC_INPUTS,
  ...BAD_INGESTION_INPUTS,
];
