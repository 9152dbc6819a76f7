import { randomBytes } from 'node:crypto';

/** What one organization floods the service with, while another one searches. */
export interface Flood {
  /** As the report names it. */
  readonly name: string;
  readonly path: string;
  readonly body: object;
}

/** Whose messages are as those of the organization that is measured. */
export const BUSY = { org_id: 'busy', project_id: 'p' };
/** Whose messages have much metadata. */
export const FURNISHED = { org_id: 'busy', project_id: 'furnished' };

export const FURNISHED_EPISODES = 400;
const KEYS = 64;
const VALUE_BYTES = 750;

/** The metadata of a message: 64 kB that do not compress. */
export const furniture = (): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: KEYS }, (_, n) => [`k${n}`, randomBytes(VALUE_BYTES).toString('base64')]),
  );

const SEARCHED = { ...FURNISHED, query: 'Which guest spoke of the doctor?', top_k: 10 };
const LISTED = { ...FURNISHED, type: 'episodic', page_size: 10, page_num: 0 };
const WORDS = 'Which guest spoke of the doctor, the school and the river in the garden? ';

const conditions = (count: number, of: (key: string, n: number) => string, between: string): string =>
  Array.from({ length: count }, (_, n) => of(`m.k${n % KEYS}`, n)).join(` ${between} `);

/** Each is true of each message, so that all are tested; an index decides none. */
const UNEQUAL = conditions(120, (key, n) => `${key} != 'v${n}'`, 'AND');
/** Each is false of each message. */
const DATES = conditions(32, (key) => `${key} > date('2026-03-01')`, 'OR');

const at = (route: string): string => `/api/v2/memories/${route}`;

export const FLOODS: readonly Flood[] = [
  {
    name: '17 kB of query, the most hits, their neighbours, and what each score is made of',
    path: at('search'),
    body: { ...BUSY, query: WORDS.repeat(235), top_k: 1_000, expand_context: 50, explain: true },
  },
  { name: 'searches, 120 conditions', path: at('search'), body: { ...SEARCHED, filter: UNEQUAL } },
  { name: 'searches, 32 dates', path: at('search'), body: { ...SEARCHED, filter: DATES } },
  { name: 'lists, 120 conditions', path: at('list'), body: { ...LISTED, filter: UNEQUAL } },
  { name: 'lists, 32 dates', path: at('list'), body: { ...LISTED, filter: DATES } },
];
