import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Loci } from '@loci/testing';
import * as fc from 'fast-check';
import { Client, type WireEpisode } from '../harness/client.js';
import { pointsAmong } from '../harness/vectors.js';
import { product } from './product.js';

/** What is remembered, by its content. */
const EPISODES: Readonly<Record<string, object>> = {
  bare: { timestamp: '2024-01-01T00:00:00Z' },
  five: { producer: 'ada', role: 'user', metadata: { n: '5', kind: 'note' } },
  minus: { producer: 'ada', role: 'assistant', metadata: { n: '-3', kind: 'task' } },
  decimal: { producer: 'bob', produced_for: 'ada', metadata: { n: '5.5', kind: 'note' } },
  words: { producer: 'bob', metadata: { n: 'many', kind: 'Note' } },
  quoted: { producer: "O'Brien", metadata: { name: 'say "hi"', kind: "it's" } },
  foreign: { producer: 'ユーザー', metadata: { 'Straße 1': 'köln', kind: '日本語 🙂' } },
  dotted: { metadata: { 'a.b': 'x', 'a b': 'y', 'a"b': 'z', empty: '' } },
  dated: { metadata: { due: '2024-06-01T10:00:00+02:00', kind: 'task' } },
  later: { timestamp: '2030-01-01T00:00:00Z', metadata: { due: '2025-01-01', archived: 'true' } },
};

const DEFAULTS = { timestamp: '2024-06-01T12:00:00.000001Z' };

let loci: Loci;
/** The same episodes twice: searches of the one answer from short-term memory alone, of the other from long-term. */
let shortTerm: Client;
let longTerm: Client;

beforeAll(async () => {
  loci = await product();
  shortTerm = new Client(loci.url, { org_id: 'acme-filters', project_id: 'short' });
  longTerm = new Client(loci.url, { org_id: 'acme-filters', project_id: 'long' });
  const messages = Object.entries(EPISODES).map(([content, rest]) => ({ content, ...DEFAULTS, ...rest }));
  for (const client of [shortTerm, longTerm]) {
    await client.expect(200, '/memories', { messages });
  }
  await shortTerm.expect(204, '/memory/episodic/long_term/config', { enabled: false });
  await longTerm.disableShortTerm();
  const uids = (await longTerm.list()).map(({ uid }) => uid);
  await eventually(async () => (await pointsAmong(loci, uids)).length === uids.length, {
    what: 'everything is indexed',
  });
});

const names = (episodes: readonly WireEpisode[]): string[] => episodes.map(({ content }) => content).sort();

interface Seen {
  readonly listed: string[];
  readonly counted: number;
  readonly shortTerm: string[];
  readonly longTerm: string[];
}

async function seen(filter: string): Promise<Seen> {
  const options = { filter, top_k: 100 };
  const [list, short, long] = await Promise.all([
    shortTerm.post('/memories/list', { type: 'episodic', filter }),
    shortTerm.search('which', options),
    longTerm.search('which', options),
  ]);
  const { episodic_memory } = list.body['content'] as { episodic_memory: WireEpisode[] };
  return {
    listed: names(episodic_memory),
    counted: Number(list.headers.get('x-total-count')),
    shortTerm: names(short.shortTerm),
    longTerm: names(long.longTerm),
  };
}

const everywhere = (expected: readonly string[]): Seen => {
  const sorted = [...expected].sort();
  return { listed: sorted, counted: sorted.length, shortTerm: sorted, longTerm: sorted };
};

const ALL = Object.keys(EPISODES);
const allBut = (...left: string[]): string[] => ALL.filter((name) => !left.includes(name));

/** The values of `n`, among far more. */
const MANY = [...Array.from({ length: 30 }, (_, n) => `'v${n}'`), "'5'", "'-3'", "'5.5'", "'many'"];
const NUMBERED = ['five', 'minus', 'decimal', 'words'];

describe('a filter means the same to list, short-term and long-term memory', () => {
  test.each<[string, readonly string[]]>([
    ['', ALL],
    // equality, text
    ["metadata.kind = 'note'", ['five', 'decimal']],
    ["m.kind='note'", ['five', 'decimal']],
    ['m.kind = note', ['five', 'decimal']],
    ["m.kind <> 'note'", ['minus', 'words', 'quoted', 'foreign', 'dated']],
    ["m.kind != 'note'", ['minus', 'words', 'quoted', 'foreign', 'dated']],
    ["m.empty = ''", ['dotted']],
    ['m.archived = true', ['later']],
    ["m.archived = 'true'", ['later']],
    ["m.kind = 'nothing has it'", []],
    // numbers
    ['metadata.n = 5', ['five']],
    ["metadata.n = '5'", ['five']],
    ['m.n = 5.5', ['decimal']],
    ['m.n = -3', ['minus']],
    // what is no number compares as text
    ['m.n > 5', ['decimal', 'words']],
    ['m.n >= 5', ['five', 'decimal', 'words']],
    ['m.n < 0', ['minus']],
    ['m.n < 100', ['five', 'minus', 'decimal']],
    ['m.n <= -3', ['minus']],
    // quotes and escapes
    ["producer_id = 'O''Brien'", ['quoted']],
    ['producer_id = "O\'Brien"', ['quoted']],
    ["m.kind = 'it''s'", ['quoted']],
    ['m.name = "say ""hi"""', ['quoted']],
    ['m.name = \'say "hi"\'', ['quoted']],
    // Unicode, and keys in quotes
    ["m.kind = '日本語 🙂'", ['foreign']],
    ["producer_id = 'ユーザー'", ['foreign']],
    ["m.'Straße 1' = 'köln'", ['foreign']],
    ["metadata.a.b = 'x'", ['dotted']],
    ["metadata.'a.b' = 'x'", ['dotted']],
    ['metadata."a b" = \'y\'', ['dotted']],
    ['m."a""b" = \'z\'', ['dotted']],
    // lists
    ["m.kind IN ('note', 'task')", ['five', 'minus', 'decimal', 'dated']],
    ['m.n IN (5, -3)', ['five', 'minus']],
    ["m.kind NOT IN ('note', 'task')", allBut('five', 'minus', 'decimal', 'dated')],
    ["producer_id IN ('ada', 'O''Brien')", ['five', 'minus', 'quoted']],
    [`m.n IN (${MANY.join(', ')})`, NUMBERED],
    [`m.n NOT IN (${MANY.join(', ')})`, allBut(...NUMBERED)],
    [`m.kind = 'task' OR ${MANY.map((n) => `m.n = ${n}`).join(' OR ')}`, [...NUMBERED, 'dated']],
    // presence
    ['m.kind IS NULL', ['bare', 'dotted', 'later']],
    ['m.kind IS NOT NULL', allBut('bare', 'dotted', 'later')],
    ['NOT m.kind IS NULL', allBut('bare', 'dotted', 'later')],
    ['m.empty IS NOT NULL', ['dotted']],
    // a comparison with what is missing is false, its negation true
    ["NOT m.kind = 'note'", allBut('five', 'decimal')],
    ["NOT (m.kind = 'note' OR m.kind = 'task')", allBut('five', 'decimal', 'minus', 'dated')],
    ['NOT m.n > 0', allBut('five', 'decimal', 'words')],
    ["NOT NOT m.kind = 'note'", ['five', 'decimal']],
    // AND binds tighter than OR
    ["m.kind = 'note' OR m.kind = 'task' AND producer_id = 'ada'", ['five', 'decimal', 'minus']],
    ["(m.kind = 'note' OR m.kind = 'task') AND producer_id = 'ada'", ['five', 'minus']],
    ["not m.kind = 'note' and producer_id = 'ada' or m.n = 5.5", ['minus', 'decimal']],
    // moments
    ["metadata.due > date('2024-06-01T07:59:59Z')", ['dated', 'later']],
    ["metadata.due > date('2024-06-01T08:00:00Z')", ['later']],
    ["metadata.due = date('2024-06-01T08:00:00Z')", ['dated']],
    ["m.due < date('2025-01-01T00:00:01+00:00')", ['dated', 'later']],
    ["created_at >= '2030-01-01'", ['later']],
    ["created_at < date('2024-06-01T12:00:00Z')", ['bare']],
    ["created_at > date('2024-06-01T12:00:00Z') AND created_at < '2030-01-01'", allBut('bare', 'later')],
    ["created_at = date('2024-06-01T14:00:00.000001+02:00')", allBut('bare', 'later')],
    ["timestamp >= date('2030-01-01')", ['later']],
    // fields of the system
    ["producer_id = 'ada'", ['five', 'minus']],
    ["Producer_ID = 'ada'", ['five', 'minus']],
    ["producer_role = 'assistant'", ['minus']],
    ["produced_for_id = 'ada'", ['decimal']],
    ["content = 'five'", ['five']],
    ["episode_type = 'message'", ALL],
    ["episode_type != 'message'", []],
    ["content_type = 'string' AND sequence_num = 0", ALL],
    ['uid IS NOT NULL', ALL],
    ["uid = 'no such thing'", []],
    // a field that only features have is missing
    ["category_name = 'profile'", []],
    ["NOT category_name = 'profile'", ALL],
    ["category_name = 'profile' OR m.n = 5", ['five']],
    ["feature_name IS NULL AND value NOT IN ('x')", ALL],
    ["updated_at > '2000-01-01'", []],
  ])('%s', async (filter, expected) => {
    expect(await seen(filter)).toEqual(everywhere(expected));
  });

  test('uid names one episode', async () => {
    for (const client of [shortTerm, longTerm]) {
      const [first, second] = await client.list();
      const options = { filter: `uid = '${first?.uid ?? ''}' OR id = '${second?.uid ?? ''}'`, top_k: 100 };
      const found = await client.search('which', options);
      const expected = names([first, second].filter((episode) => episode !== undefined));
      expect(names(await client.list(options))).toEqual(expected);
      expect(names([...found.shortTerm, ...found.longTerm])).toEqual(expected);
    }
  });

  test('session_key is that of the project', async () => {
    expect((await seen("session_key = 'acme-filters/short'")).listed).toHaveLength(ALL.length);
    expect((await seen("session_key = 'acme-filters/short'")).shortTerm).toHaveLength(ALL.length);
    expect((await seen("session = 'acme-filters/long'")).longTerm).toHaveLength(ALL.length);
    expect((await seen("session_key = 'acme-filters/long'")).listed).toEqual([]);
  });

  test('also when it is made up at random', async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter, async (filter) => {
        const { listed, ...rest } = await seen(filter);
        expect({ listed, ...rest }).toEqual(everywhere(listed));
        const others = ALL.filter((name) => !listed.includes(name));
        expect((await seen(`NOT (${filter})`)).listed).toEqual(others.sort());
      }),
      { numRuns: 40, seed: 7 },
    );
  });
});

const field = fc.constantFrom(
  ...['m.n', 'm.kind', 'm.due', "m.'a b'", 'producer_id', 'produced_for_id', 'content', 'value', 'm.nope'],
);
const value = fc.constantFrom(
  ...["'5'", '5', '-3', '5.5', "'note'", "'ada'", 'true', "''", "date('2024-12-31')", "'five'", "'y'"],
);
const condition = fc.oneof(
  fc.tuple(field, fc.constantFrom('=', '!=', '<', '<=', '>', '>='), value).map((parts) => parts.join(' ')),
  fc.tuple(field, fc.constantFrom('IS NULL', 'IS NOT NULL')).map((parts) => parts.join(' ')),
  fc
    .tuple(field, fc.constantFrom('IN', 'NOT IN'), fc.constantFrom("('5', 'note', 'ada')", '(5, -3)'))
    .map((parts) => parts.join(' ')),
);
const { filter: anyFilter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    condition,
    tie('filter').map((inner) => `NOT (${inner})`),
    fc
      .tuple(tie('filter'), fc.constantFrom('AND', 'OR'), tie('filter'))
      .map(([left, op, right]) => `(${left} ${op} ${right})`),
  ),
}));
