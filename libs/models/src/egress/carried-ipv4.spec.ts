import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { refusalOf } from './address-policy.js';

type Bytes = readonly [number, number, number, number];

const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);
const inverted = ([a, b, c, d]: Bytes): Bytes => [a ^ 0xff, b ^ 0xff, c ^ 0xff, d ^ 0xff];
const last = ([a, b, c, d]: Bytes): string => `${hex(a, b)}:${hex(c, d)}`;

/** Every way to write an IPv4 address as an IPv6 one. */
const FORMS: readonly [string, (bytes: Bytes) => string][] = [
  ['IPv4-compatible', (bytes) => `::${last(bytes)}`],
  ['IPv4-mapped', (bytes) => `::ffff:${last(bytes)}`],
  ['IPv4-mapped, dotted', (bytes) => `::ffff:${bytes.join('.')}`],
  ['IPv4-translated', (bytes) => `::ffff:0:${last(bytes)}`],
  ['NAT64', (bytes) => `64:ff9b::${last(bytes)}`],
  ['6to4', (bytes) => `2002:${last(bytes)}::1`],
  ['Teredo', (bytes) => `2001:0:4136:e378:8000:63bf:${last(inverted(bytes))}`],
  ['ISATAP', (bytes) => `2606:4700::200:5efe:${last(bytes)}`],
  ['with a zone', (bytes) => `::ffff:${last(bytes)}%eth0`],
];

const byte = fc.integer({ min: 0, max: 255 });
const anywhere = fc.tuple(byte, byte, byte, byte);
/** Mostly addresses that something is said about. */
const address: fc.Arbitrary<Bytes> = fc.oneof(
  anywhere,
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(10), byte, byte, byte),
  fc.tuple(fc.constant(127), byte, byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.constantFrom<Bytes>([100, 100, 100, 200], [168, 63, 129, 16], [0, 0, 0, 0], [224, 0, 0, 1]),
);

describe.each(FORMS)('an IPv4 address that is %s', (_, form) => {
  test('is refused when the IPv4 address is, whatever is allowed', () => {
    fc.assert(
      fc.property(address, fc.boolean(), (bytes, allowPrivate) => {
        const bare = refusalOf(bytes.join('.'), { allowPrivate });
        const carried = refusalOf(form(bytes), { allowPrivate });
        expect({ bytes, form: form(bytes), isSafe: bare === undefined || carried !== undefined }).toEqual({
          bytes,
          form: form(bytes),
          isSafe: true,
        });
      }),
      { numRuns: 300 },
    );
  });

  test('of link-local, metadata and private addresses says what it is', () => {
    const say = (bytes: Bytes): string | undefined => refusalOf(form(bytes), { allowPrivate: false });
    expect(say([169, 254, 169, 254])).toContain('link-local');
    expect(say([100, 100, 100, 200])).toContain('metadata');
    expect(say([10, 1, 2, 3])).toContain('private');
  });
});

test.each(FORMS.filter(([name]) => /mapped|NAT64/.test(name)))(
  'a form in which hosts are reached, %s, is allowed whenever the IPv4 address is',
  (_, form) => {
    fc.assert(
      fc.property(address, fc.boolean(), (bytes, allowPrivate) => {
        expect(refusalOf(form(bytes), { allowPrivate })).toBe(refusalOf(bytes.join('.'), { allowPrivate }));
      }),
      { numRuns: 300 },
    );
  },
);

test.each(['::808:808', '2002:808:808::1', '4000::1', '64:ff9b:1::808:808', 'fec0::1', '100::1'])(
  '%s is no host on the internet',
  (text) => {
    expect(refusalOf(text, { allowPrivate: true })).toContain('not the address of a host');
  },
);
