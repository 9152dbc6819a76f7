import { FakeModels } from '@loci/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { failureOfConnection } from '../calls/connection-failure.js';
import { refusalOf } from './address-policy.js';
import { EgressGuard } from './egress-guard.js';
import { type Resolve } from './guarded-lookup.js';

const BOUNDS = { maxBytes: 100_000, timeoutMs: 20_000 };

const ALWAYS_REFUSED = [
  '169.254.169.254',
  'fd00:ec2::254',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '100.100.100.200',
  '168.63.129.16',
  'fe80::1',
  'fe80::1%eth0',
  'fd00:ec2::254%eth0',
  '::a9fe:a9fe',
  '0.0.0.0',
  '::',
  '224.0.0.1',
  'ff02::1',
  '255.255.255.255',
  '2002:7f00:1::',
  'no address',
];
const PRIVATE = [
  '127.0.0.1',
  '::1',
  '10.1.2.3',
  '192.168.0.1',
  '172.16.0.1',
  'fd12::1',
  '::ffff:127.0.0.1',
  '100.64.0.1',
];

describe('an address', () => {
  test.each(ALWAYS_REFUSED)('%s is refused, whatever is allowed', (address) => {
    expect(refusalOf(address, { allowPrivate: true })).toBeDefined();
  });

  test.each(PRIVATE)('%s is refused unless private ones are allowed', (address) => {
    expect(refusalOf(address, { allowPrivate: false })).toContain('EGRESS_ALLOW_PRIVATE');
    expect(refusalOf(address, { allowPrivate: true })).toBeUndefined();
  });

  test.each(['8.8.8.8', '2606:4700::1111', '64:ff9b::808:808'])(
    '%s on the internet is allowed',
    (address) => {
      expect(refusalOf(address, { allowPrivate: false })).toBeUndefined();
    },
  );
});

describe('a connection', () => {
  let fake: FakeModels;
  beforeAll(async () => {
    fake = await FakeModels.start();
  });
  afterAll(async () => {
    await fake.close();
  });

  const resolveTo =
    (...addresses: string[]): Resolve =>
    (_, done) => {
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
  const port = (): string => new URL(fake.url).port;

  test('goes to the address that was checked, whatever a second look at the name would say', async () => {
    let looks = 0;
    const guard = new EgressGuard({ allowPrivate: true }, BOUNDS, (_, done) => {
      looks += 1;
      done(null, [{ address: looks === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]);
    });
    const response = await guard.fetch(`http://rebinding.test:${port()}/v1/models`);
    expect(response.status).toBe(200);
    await response.text();
    await guard.close();
    expect(looks).toBe(1);
  });

  test.each<[string, Resolve]>([
    ['leads to this machine', resolveTo('127.0.0.1')],
    ['leads to a private network, by IPv6 too', resolveTo('10.1.2.3', 'fd12::1')],
    ['leads to metadata', resolveTo('169.254.169.254')],
    ['has no address', resolveTo()],
    ['is unknown', (_, done) => done(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))],
    ['is not looked up in time', (_, done) => done(Object.assign(new Error('x'), { code: 'EAI_AGAIN' }))],
  ])(
    'to a name that %s fails as to any other such name, where private ones are refused',
    async (_, resolve) => {
      const guard = new EgressGuard({ allowPrivate: false }, BOUNDS, resolve);
      fake.reset();
      // whether something listens there makes no difference
      for (const at of [port(), '2']) {
        const failure: unknown = await guard
          .fetch(`http://model.test:${at}/`)
          .catch((error: unknown) => error);
        expect(failureOfConnection(failure)).toMatchObject({
          reason: 'unreachable',
          message:
            "can't be reached: its host name is unknown, or leads to a private address (EGRESS_ALLOW_PRIVATE=true allows these)",
        });
      }
      expect(fake.calls()).toEqual([]);
      await guard.close();
    },
  );

  test.each([
    ['an address', '127.0.0.1'],
    ['an address in other digits', '2130706433'],
    ['an IPv6 address', '[::1]'],
  ])('to %s of this machine is refused unless that is allowed', async (_, host) => {
    const guard = new EgressGuard({ allowPrivate: false }, BOUNDS, resolveTo('127.0.0.1'));
    await expect(guard.fetch(`http://${host}:${port()}/`)).rejects.toMatchObject({
      cause: { name: 'EgressRefusedError' },
    });
    await guard.close();
  });

  test('to a name that does not resolve fails with the error of the look-up', async () => {
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    // as Node does it: an error and nothing else
    const guard = new EgressGuard({ allowPrivate: true }, BOUNDS, (_, done) => done(unknown));
    await expect(guard.fetch('http://nowhere.test/')).rejects.toMatchObject({ cause: { code: 'ENOTFOUND' } });
    await guard.close();
  });

  test('of a name with good and bad addresses goes to a good one', async () => {
    const guard = new EgressGuard({ allowPrivate: true }, BOUNDS, resolveTo('169.254.169.254', '127.0.0.1'));
    const response = await guard.fetch(`http://mixed.test:${port()}/v1/models`);
    expect(response.status).toBe(200);
    await response.text();
    await guard.close();
  });

  test.each([
    ['model.test', 'HostNotFoundError'],
    ['127.0.0.1', 'EgressRefusedError'],
  ])("of Node's own client to %s is guarded too", async (host, name) => {
    const guard = new EgressGuard({ allowPrivate: false }, BOUNDS, resolveTo('127.0.0.1'));
    const { httpAgent, httpsAgent } = guard.agents();
    const failure: unknown = await new Promise((resolve, reject) => {
      httpRequest({ host, port: port(), agent: httpAgent })
        .once('error', reject)
        .once('response', resolve)
        .end();
    }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name });
    httpAgent.destroy();
    httpsAgent.destroy();
    await guard.close();
  });

  test('does not follow a redirect', async () => {
    const guard = new EgressGuard({ allowPrivate: true }, BOUNDS);
    fake.fail({ status: 302, headers: { location: '/v1/models' } });
    const response = await guard.fetch(`${fake.url}/v1/models`);
    expect(response.status).toBe(302);
    await response.text();
    await guard.close();
  });
});
