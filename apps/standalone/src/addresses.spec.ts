import { expect, test } from '@jest/globals';
import { localUrl } from './addresses.js';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://[::1]:80'],
  ['fe80::1', 'http://[fe80::1]:80'],
  ['box', 'http://box:80'],
])('what listens on %s is asked at %s', (host, url) => {
  expect(localUrl(host, 80)).toBe(url);
});
