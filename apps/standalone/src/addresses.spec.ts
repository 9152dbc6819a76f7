import { expect, test } from '@jest/globals';
import { isLoopback, localUrl } from './addresses.js';

test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost', 'LOCALHOST'])(
  '%s is reached from this machine only',
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each(['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', 'example.com', 'localhost.example.com'])(
  '%s may be reached from elsewhere',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);

test.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://[::1]:80'],
  ['fe80::1', 'http://[fe80::1]:80'],
  ['box', 'http://box:80'],
])('what listens on %s is asked at %s', (host, url) => {
  expect(localUrl(host, 80)).toBe(url);
});
