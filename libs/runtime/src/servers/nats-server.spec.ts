import { expect, test } from '@jest/globals';
import { hasWriteError } from './nats-server.js';

test('a stream that takes nothing more is told from one that is only not there yet', () => {
  const error = `JetStream stream '$G > EVT_EPISODIC' write error: write msgs/1.blk: no space left on device`;
  expect(hasWriteError({ status: 503, text: JSON.stringify({ status: 'unavailable', error }) })).toBe(true);
  const behind = `JetStream stream '$G > EVT_EPISODIC' is not current`;
  expect(hasWriteError({ status: 503, text: JSON.stringify({ status: 'unavailable', error: behind }) })).toBe(
    false,
  );
  expect(hasWriteError({ status: 200, text: '{"status":"ok"}' })).toBe(false);
  expect(hasWriteError(undefined)).toBe(false);
});
