import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { Agent } from './agent.js';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function agentOf(answer: RequestListener): Promise<Agent> {
  const listening = createServer(answer);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  return new Agent({ name: 'a0', url: () => url, projectIds: ['p0'], pauseMs: 1, lastMs: 50 });
}

test('a message that is refused is sent again, and is acknowledged once', async () => {
  let requests = 0;
  const agent = await agentOf((_, response) => {
    requests += 1;
    response.statusCode = requests === 1 ? 503 : 200;
    response.end(JSON.stringify({ results: [{ uid: `u${requests}` }] }));
  });
  const running = agent.run();
  await eventually(() => agent.acknowledged.length > 0, { what: 'a message is acknowledged' });
  agent.stop();
  await running;
  expect(agent.retries).toBe(1);
  expect(agent.acknowledged[0]).toMatchObject({ uid: 'u2', content: 'The customer likes the number a0-0.' });
});

test('an agent that was stopped does not wait for an acknowledgement without end', async () => {
  const agent = await agentOf((_, response) => {
    response.statusCode = 503;
    response.end();
  });
  const running = agent.run();
  agent.stop();
  await expect(running).rejects.toThrow('a0: the last message was not acknowledged within 0.05 s');
  expect(agent.acknowledged).toEqual([]);
});
