import { beforeEach, expect, test } from '@jest/globals';
import { Metrics } from '@loci/platform';
import { type FastifyRequest } from 'fastify';
import { type GatewayEnv } from '../env.js';
import { StreamShares } from './stream-shares.js';

const ENV = { MAX_EVENT_STREAMS: 10, ORG_SHARE_PERCENT: 50, KEY_SHARE_PERCENT: 40 } as GatewayEnv;

let shares: StreamShares;
let metrics: Metrics;
/** Streams that were ended for others, in this sequence. */
let ended: string[];

beforeEach(() => {
  metrics = new Metrics('spec');
  shares = new StreamShares(ENV, metrics);
  ended = [];
});

/** @param name the organization, and the key with its number */
function open(name: string): () => void {
  const [orgId = '', id = ''] = name.split('/');
  const caller = { id: `${orgId}/${id.slice(0, 1)}`, bounds: { orgId } };
  return shares.take({ caller } as unknown as FastifyRequest, () => ended.push(name));
}

const openAll = (org: string): (() => void)[] =>
  ['a1', 'a2', 'a3', 'b1', 'b2'].map((stream) => open(`${org}/${stream}`));

test('two organizations that hold all streams give up their newest to others, until each has as many', async () => {
  openAll('one');
  openAll('two');
  open('three/a1');
  open('three/a2');
  open('three/a3');
  expect(ended).toHaveLength(3);
  expect(ended.slice(0, 2)).toEqual(['one/b2', 'two/b2']);
  expect(() => open('three/a4')).toThrow('Too many streams of events are open; try again later.');
  expect(await metrics.render()).toMatch(/event_streams_given_up_total(\{[^}]*\})? 3/);
});

test('an organization that gave one up does not get it back from one with fewer', () => {
  const [first] = openAll('one');
  openAll('two');
  open('three/a1');
  expect(() => open('one/b3')).toThrow('try again later');
  expect(ended).toEqual(['one/b2']);
  first?.();
  open('three/a2');
  expect(ended).toEqual(['one/b2']);
});

test('what ended is given back once', () => {
  const giveBack = openAll('one');
  openAll('two');
  open('three/a1');
  giveBack.at(-1)?.();
  expect(() => open('one/b3')).toThrow('try again later');
});

test('none is given up for a share of its own that is used up, nor while the process ends', () => {
  openAll('one');
  openAll('two');
  expect(() => open('one/b3')).toThrow('Too many streams of events of this organization are open');
  shares.onModuleDestroy();
  expect(() => open('three/a1')).toThrow('try again later');
  expect(ended).toEqual([]);
});
