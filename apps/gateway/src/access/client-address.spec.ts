import { afterEach, describe, expect, test } from '@jest/globals';
import { EnvError } from '@loci/platform';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { clientAddress, clientNetwork, trustedProxies } from './client-address.js';

let gateway: TestGateway | undefined;

afterEach(() => gateway?.app.close());

/** What a request that the connection of `from` brings is taken to come from. */
async function addressOf(from: string, forwardedFor: string, trusted = ''): Promise<string | undefined> {
  let seen: string | undefined;
  gateway = await startTestGateway({ TRUSTED_PROXIES: trusted }, (server) => {
    server.addHook('onRequest', (request, _reply, done) => {
      seen = clientAddress(request);
      done();
    });
  });
  const headers = { 'x-forwarded-for': forwardedFor };
  await gateway.app.inject({ url: '/health/live', remoteAddress: from, headers });
  return seen;
}

describe('the address of a client', () => {
  test('is that of its connection, whatever it writes into headers', async () => {
    expect(await addressOf('192.0.2.1', '198.51.100.7')).toBe('192.0.2.1');
    expect(await addressOf('192.0.2.1', '198.51.100.7', '10.0.0.0/8')).toBe('192.0.2.1');
  });

  test('behind trusted proxies is what the outermost of them saw, not what the client made up', async () => {
    const trusted = 'loopback, 10.0.0.0/8,2001:db8::1';
    expect(await addressOf('10.1.2.3', '198.51.100.7', trusted)).toBe('198.51.100.7');
    expect(await addressOf('127.0.0.1', '203.0.113.9, 198.51.100.7, 10.9.9.9', trusted)).toBe('198.51.100.7');
    expect(await addressOf('2001:db8::1', '2001:db8:5::7', trusted)).toBe('2001:db8:5::7');
  });

  test.each([
    ['198.51.100.7:5123', '198.51.100.7'],
    ['[2001:db8:5::7]:443', '2001:db8:5::7'],
    ['2001:0DB8:5:0::7', '2001:db8:5::7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['<script>', '10.1.2.3'],
    ['unknown', '10.1.2.3'],
    ['7', '10.1.2.3'],
    ['', '10.1.2.3'],
  ])('written as %j is %s', async (forwardedFor, address) => {
    expect(await addressOf('10.1.2.3', forwardedFor, '10.1.2.3')).toBe(address);
  });
});

test('all addresses that one IPv6 customer has are one network', () => {
  expect(clientNetwork('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(clientNetwork('2001:db8:1:2::')).toBe(clientNetwork('2001:db8:1:2:ffff::1'));
  expect(clientNetwork('2001:db8:1:3::')).not.toBe(clientNetwork('2001:db8:1:2::'));
  expect(clientNetwork('192.0.2.1')).toBe('192.0.2.1');
});

test('no proxy is trusted unless the setting says so', () => {
  expect(trustedProxies('')).toBe(false);
  expect(trustedProxies(' , ')).toBe(false);
});

test.each(['proxy', '10.0.0.0/33', '10.0.0.1,300.1.1.1', 'true', '*'])('%j stops the start', (setting) => {
  expect(() => trustedProxies(setting)).toThrow(EnvError);
});
