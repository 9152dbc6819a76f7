import { describe, expect, test } from '@jest/globals';
import { type Episode, type Feature, type Instant, type Dated, type DatePrecision } from '@loci/contracts';
import { countTokens } from '@loci/platform';
import fc from 'fast-check';
import { assembleContext } from './assemble-context.js';
import { type Findings } from './context-lines.js';

const PLENTY = 10_000;

const feature = (featureId: string, given: Partial<Feature> = {}): Feature => ({
  featureId,
  setId: 'mem_user_set_org_acme_1_7e8d0b20c039__producer_id_ann',
  trust: 'trusted',
  origin: { kind: 'ingestion' },
  category: 'profile',
  tag: 'Diet',
  name: 'dish',
  value: featureId,
  metadata: {},
  ...given,
});

const episode = (uid: string, createdAt: string, given: Partial<Episode> = {}): Episode => ({
  uid,
  content: uid,
  producerId: 'ann',
  producerRole: 'user',
  producedForId: '',
  metadata: {},
  createdAt: createdAt as Instant,
  ...given,
});

const context = (findings: Partial<Findings>, maxTokens = PLENTY) =>
  assembleContext({ features: [], relevant: [], recent: [], ...findings }, maxTokens);

const ids = (findings: Partial<Findings>, maxTokens = PLENTY): string[] =>
  context(findings, maxTokens).citations.map(({ id }) => id);

test('profile, facts, episodes and recent turns, each line with its marker, each marker with its source', () => {
  const found = {
    features: [feature('f-1'), feature('f-2', { category: 'plans' })],
    relevant: [episode('e-1', '2026-03-02T10:00:00.000000Z')],
    recent: [episode('e-2', '2026-03-09T10:01:00.000000Z', { producerId: 'Bob' })],
  };
  const { text, tokens, blocks, citations } = context(found);
  expect(text).toBe(`## Profile
[1] "Diet", "dish": "f-1"

## Facts
[2] "Diet", "dish": "f-2"

## Episodes
[3] 2026-03-02 10:00 "ann": "e-1"

## Recent
[4] 2026-03-09 10:01 "Bob": "e-2"`);
  expect(tokens).toBe(countTokens(text));
  expect(blocks.map(({ name }) => name)).toEqual(['profile', 'facts', 'episodes', 'recent']);
  expect(blocks.map((block) => block.text).join('\n\n')).toBe(text);
  expect(citations).toEqual([
    { marker: '[1]', kind: 'feature', id: 'f-1', trust: 'trusted' },
    { marker: '[2]', kind: 'feature', id: 'f-2', trust: 'trusted' },
    { marker: '[3]', kind: 'episode', id: 'e-1', trust: 'trusted' },
    { marker: '[4]', kind: 'episode', id: 'e-2', trust: 'trusted' },
  ]);
});

test('a line says when its fact holds, as exactly as that is known', () => {
  const dated = (at: string, precision: DatePrecision): Dated => ({ at: at as Instant, precision });
  const validFrom = dated('2024-03-01T00:00:00.000000Z', 'month');
  const validUntil = dated('2025-01-31T12:30:00.000000Z', 'time');
  const features = [
    feature('1', { name: 'a', validity: { validFrom } }),
    feature('2', { name: 'b', validity: { validFrom, validUntil } }),
    feature('3', { name: 'c', validity: {} }),
  ];
  expect(context({ features }).text).toBe(`## Profile
[1] "Diet", "a": "1" (from 2024-03)
[2] "Diet", "b": "2" (from 2024-03 until 2025-01-31 12:30)
[3] "Diet", "c": "3"`);
});

test('nothing found is an empty text', () => {
  expect(context({})).toEqual({ text: '', tokens: 0, blocks: [], citations: [] });
});

describe('the sequence', () => {
  const features = [
    feature('1', { name: 'b' }),
    feature('2', { name: 'a' }),
    feature('3', { tag: 'Car', name: 'z' }),
    feature('4', { name: 'a' }),
  ];
  const relevant = [
    episode('a', '2026-03-02T10:01:00.000000Z'),
    episode('b', '2026-03-09T10:00:00.000000Z'),
    episode('c', '2026-03-02T10:00:00.000000Z'),
  ];

  test('does not depend on that of the hits', () => {
    const found = { features, relevant };
    const turned = { features: features.toReversed(), relevant: relevant.toReversed() };
    expect(context(turned)).toEqual(context(found));
  });

  test('of features is that of their names, the newest first of those with one name', () => {
    expect(ids({ features })).toEqual(['3', '4', '2', '1']);
  });

  test('of episodes has the newest day first, and each day as it was', () => {
    expect(ids({ relevant })).toEqual(['b', 'c', 'a']);
  });

  test('of recent turns is as they were', () => {
    expect(ids({ recent: relevant.toReversed() })).toEqual(['c', 'a', 'b']);
  });
});

describe('what says the same is there once, as the newest', () => {
  test('of several sets', () => {
    const features = [feature('1', { value: 'x' }), feature('2', { value: 'x', setId: 'mem_other_set_x' })];
    expect(ids({ features })).toEqual(['2']);
  });

  test('of relevant and recent episodes', () => {
    const relevant = [episode('old', '2026-03-02T10:00:00.000000Z', { content: 'x' })];
    const recent = [episode('new', '2026-03-09T10:00:00.000000Z', { content: 'x' })];
    expect(ids({ relevant, recent })).toEqual(['new']);
  });

  test('but two people may say the same', () => {
    const at = '2026-03-02T10:00:00.000000Z';
    const recent = [
      episode('a', at, { content: 'x' }),
      episode('b', at, { content: 'x', producerId: 'Bob' }),
    ];
    expect(ids({ recent })).toEqual(['a', 'b']);
  });
});

describe('what does not fit', () => {
  const eleven = Array.from({ length: 11 }, (_, number) => String(number).padStart(2, '0'));

  test('leaves out the worst hits, of whatever set', () => {
    const features = [
      ...['1', '2', '3'].map((id) => feature(id)),
      ...['7', '8', '9'].map((id) => feature(id, { setId: 'mem_other_set_x' })),
    ];
    const half = context({ features: features.slice(0, 4) }).tokens + 1;
    expect(ids({ features }, half)).toEqual(['7', '3', '2', '1']);
  });

  test('leaves out the oldest turns', () => {
    const recent = eleven.map((id) => episode(id, `2026-03-02T10:${id}:00.000000Z`));
    const fitting = ids({ recent }, 100);
    expect(fitting.length).toBeGreaterThan(1);
    expect(fitting.length).toBeLessThan(11);
    expect(fitting).toEqual(eleven.slice(-fitting.length));
  });

  test('leaves out the newest turns before what answers best', () => {
    const recent = eleven.map((id) => episode(id, `2026-03-09T10:${id}:00.000000Z`));
    const relevant = [
      episode('answer', '2026-03-02T10:00:00.000000Z', { content: 'It is green. '.repeat(12) }),
    ];
    const { tokens } = context({ relevant });
    expect(ids({ relevant, recent }, tokens + 5)).toEqual(['answer']);
  });

  test('leaves out newer turns before one that answers best', () => {
    const recent = eleven.map((id) => episode(id, `2026-03-09T10:${id}:00.000000Z`));
    expect(ids({ relevant: recent.slice(0, 1), recent }, 60)).toEqual([
      '00',
      ...ids({ recent }, 60).slice(1),
    ]);
  });

  test('gives way to what comes behind it and fits', () => {
    const long = feature('1', { value: 'very long '.repeat(100) });
    expect(ids({ features: [long, feature('2')] }, 100)).toEqual(['2']);
  });

  test('leaves every block its share', () => {
    const features = eleven.map((id) => feature(id));
    const relevant = eleven.map((id) => episode(`r${id}`, `2026-03-02T10:${id}:00.000000Z`));
    const recent = eleven.map((id) => episode(`s${id}`, `2026-03-09T10:${id}:00.000000Z`));
    const { blocks } = context({ features, relevant, recent }, 300);
    expect(blocks.map(({ name }) => name)).toEqual(['profile', 'episodes', 'recent']);
  });
});

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('\n', ' ', '#', '[', '1', ']', '<', '。', '木', 'é', 'word', '\u2028') }),
);
const stamps = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const features = fc.array(
  fc
    .record({ tag: texts, name: texts, value: texts, category: fc.constantFrom('profile', 'x') })
    .chain((given) => fc.uuid().map((id) => feature(id, given))),
);
const episodes = fc.array(
  fc
    .record({ content: texts, producerId: texts })
    .chain((given) => fc.tuple(fc.uuid(), stamps).map(([uid, at]) => episode(uid, at.toISOString(), given))),
);

test('whatever is stored, the budget holds, and no line but ours begins or cites anything', () => {
  const findings = fc.record({ features, relevant: episodes, recent: episodes });
  fc.assert(
    fc.property(findings, fc.integer({ min: 1, max: 400 }), (found, maxTokens) => {
      const { text, tokens, blocks, citations } = assembleContext(found, maxTokens);
      expect(tokens).toBe(countTokens(text));
      expect(tokens).toBeLessThanOrEqual(maxTokens);
      const lines = text === '' ? [] : text.split(/[\n\r\u0085\u2028\u2029]/);
      const cited = lines.filter((line) => /^\[\d+\] /.test(line));
      expect(cited).toHaveLength(citations.length);
      expect(text.match(/\[\d+\]/g) ?? []).toEqual(citations.map(({ marker }) => marker));
      expect(lines).toHaveLength(citations.length + blocks.length + Math.max(0, blocks.length - 1));
      expect(text).not.toContain('<');
    }),
  );
});
