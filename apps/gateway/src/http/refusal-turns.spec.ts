import { expect, test } from '@jest/globals';
import { startTestGateway } from '../../test/test-gateway.js';

test('a flood of one network keeps no client of another one waiting at an unknown path', async () => {
  const gateway = await startTestGateway();
  let answered = 0;
  const ask = async (remoteAddress: string): Promise<number> => {
    const { statusCode } = await gateway.app.inject({ url: '/nowhere', remoteAddress });
    answered += 1;
    return statusCode;
  };
  const flood = Array.from({ length: 400 }, () => ask('198.51.100.7'));
  expect(await ask('203.0.113.9')).toBe(404);
  expect(answered).toBeLessThan(300);
  await gateway.app.close();
  await Promise.all(flood);
});
