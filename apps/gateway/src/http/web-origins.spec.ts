import { describe, expect, test } from '@jest/globals';
import { WebOrigins } from './web-origins.js';

const origins = new WebOrigins('loci.internal, 10.0.0.7', 'https://console.example.com,http://[::1]:5173');

describe('a name', () => {
  test.each([
    'localhost',
    'LOCALHOST:8080',
    '127.0.0.1:8080',
    '127.8.9.10',
    '[::1]',
    '[::1]:8080',
    'loci.internal:80',
    '10.0.0.7',
  ])('%j is served', (host) => {
    expect(origins.servesHost(host)).toBe(true);
  });

  test.each([
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:127',
    'user@localhost',
    'localhost/evil.example',
    'localhost:x',
    'loci.internal.evil.example',
    '192.168.0.1',
    '0.0.0.0',
    '[fe80::1]',
    '[::ffff:10.0.0.8]',
  ])('%j is not served', (host) => {
    expect(origins.servesHost(host)).toBe(false);
  });
});

describe('a page', () => {
  test.each([
    'http://localhost:3000',
    'https://127.0.0.1',
    'https://console.example.com',
    'http://loci.internal',
  ])('%s may send requests', (origin) => {
    expect(origins.servesOrigin(origin)).toBe(true);
  });

  test.each([
    'null',
    '',
    'https://evil.example',
    'http://console.example.com',
    'https://console.example.com:8443',
  ])('%j may not', (origin) => {
    expect(origins.servesOrigin(origin)).toBe(false);
  });

  test('may read answers only when it is listed', () => {
    expect(origins.listsOrigin('https://console.example.com')).toBe(true);
    expect(origins.listsOrigin('http://localhost:3000')).toBe(false);
  });
});

test.each([
  ['http://loci.internal', ''],
  ['loci.internal:8080', ''],
  ['*', ''],
  ['', '*'],
  ['', 'console.example.com'],
  ['', 'https://console.example.com/'],
])('the settings %j and %j are refused', (hosts, pages) => {
  expect(() => new WebOrigins(hosts, pages)).toThrow(/^ALLOWED_(HOSTS|ORIGINS): entry 1/);
});
