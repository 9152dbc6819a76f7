import { expect, test } from '@jest/globals';
import { isLoopback } from './is-loopback.js';

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
