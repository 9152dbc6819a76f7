import { describe, expect, jest, test } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answered, createLociClient, LociError } from '../index.js';
import { retrying, type Send } from './retrying.js';

const URL = 'http://loci.test/api/v2/memories';
const OPTIONS = { timeoutMs: 1_000, maxRetries: 3, maxWaitMs: 60_000 };

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(status === 204 ? null : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

const refused = (status: number, headers: Record<string, string> = {}): Response =>
  json(status, { detail: 'Later.', code: 'later' }, headers);

/** Answers in turn; the last again and again. */
function answering(...answers: readonly (Response | Error)[]) {
  const requests: Request[] = [];
  const waits: number[] = [];
  const send: Send = (request) => {
    requests.push(request);
    const answer = answers[Math.min(requests.length, answers.length) - 1]!;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer.clone());
  };
  const waiting = {
    pause: (ms: number) => {
      waits.push(ms);
      return Promise.resolve();
    },
    random: () => 0.5,
  };
  return { send: retrying(send, OPTIONS, waiting), requests, waits };
}

const post = (headers: Record<string, string> = {}): Request =>
  new Request(URL, { method: 'POST', body: '{"a":1}', headers });

describe('what passes is tried again', () => {
  test.each([408, 429, 502, 503, 504])('status %d', async (status) => {
    const { send, requests } = answering(refused(status), json(200, {}));
    expect((await send(post())).status).toBe(200);
    expect(requests).toHaveLength(2);
  });

  test('a connection that breaks, and an answer that breaks off', async () => {
    const half = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"a":'));
        controller.error(new TypeError('terminated'));
      },
    });
    const headers = { 'content-type': 'application/json' };
    const answers = [new TypeError('fetch failed'), new Response(half, { headers }), json(200, { a: 1 })];
    let calls = 0;
    const broken: Send = () => {
      const answer = answers[calls++]!;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    const send = retrying(broken, OPTIONS, { pause: () => Promise.resolve(), random: () => 0 });
    expect(await (await send(post())).json()).toEqual({ a: 1 });
    expect(calls).toBe(3);
  });

  test('a write whose first attempt is still under way', async () => {
    const { send, requests } = answering(refused(409, { 'retry-after': '1' }), json(200, {}));
    expect((await send(post())).status).toBe(200);
    expect(requests).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 409, 413, 422, 500])('but not status %d', async (status) => {
    const { send, requests } = answering(refused(status));
    expect((await send(post())).status).toBe(status);
    expect(requests).toHaveLength(1);
  });

  test('four times in all, and then the last refusal counts', async () => {
    const { send, requests } = answering(refused(503));
    expect((await send(post())).status).toBe(503);
    expect(requests).toHaveLength(4);
  });
});

describe('the pause', () => {
  test('grows, half of it by chance', async () => {
    const { send, waits } = answering(refused(503));
    await send(post());
    expect(waits).toEqual([187.5, 375, 750]);
  });

  test('is never shorter than Retry-After, in seconds or as a date', async () => {
    const inFive = new Date(Date.now() + 5_500).toUTCString();
    const { send, waits } = answering(
      refused(429, { 'retry-after': '7' }),
      refused(503, { 'retry-after': inFive }),
      json(200, {}),
    );
    await send(post());
    expect(waits[0]).toBeGreaterThan(7_000);
    expect(waits[0]).toBeLessThan(8_000);
    expect(waits[1]).toBeGreaterThan(3_500);
  });

  test('that would be too long is not waited for: the refusal says how long', async () => {
    const { send, waits } = answering(refused(429, { 'retry-after': '3600' }));
    expect((await send(post())).status).toBe(429);
    expect(waits).toEqual([]);
  });

  test('ends with the signal of the caller', async () => {
    const stop = new AbortController();
    const send = retrying(() => Promise.resolve(refused(503, { 'retry-after': '30' })), OPTIONS);
    const call = send(new Request(URL, { method: 'POST', body: '{}', signal: stop.signal }));
    setTimeout(() => stop.abort(new Error('enough')), 10);
    await expect(call).rejects.toThrow('enough');
  });
});

describe('all attempts', () => {
  test('of a write have one idempotency key, one request id, and the whole body', async () => {
    const { send, requests } = answering(new TypeError('fetch failed'), refused(503), json(200, {}));
    await send(post());
    const headersOf = (name: string) => new Set(requests.map(({ headers }) => headers.get(name)));
    expect(headersOf('idempotency-key').size).toBe(1);
    expect([...headersOf('idempotency-key')]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(headersOf('x-request-id').size).toBe(1);
    expect(await Promise.all(requests.map((request) => request.text()))).toEqual(
      Array.from({ length: 3 }, () => '{"a":1}'),
    );
  });

  test('of two writes have different keys, and one that is given stays', async () => {
    const { send, requests } = answering(json(200, {}));
    await send(post());
    await send(post());
    await send(post({ 'idempotency-key': 'mine' }));
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  test('of a read have none', async () => {
    const { send, requests } = answering(json(200, {}));
    await send(new Request(URL));
    expect(requests[0]?.headers.has('idempotency-key')).toBe(false);
  });
});

describe('when there is no answer', () => {
  test('in time, the error says so and names the request', async () => {
    const hanging: Send = (request) =>
      new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
      });
    const send = retrying(hanging, { ...OPTIONS, timeoutMs: 20, maxRetries: 0 });
    const error = await send(post({ 'x-request-id': 'r1' })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 0, code: 'timeout', requestId: 'r1' });
    expect(String(error)).toContain('http://loci.test gave no answer within 20 ms');
  });

  test('in time, the error comes although what tells the request was collected as garbage', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const hanging: Send = (request) => {
      setImmediate(collect);
      return new Promise((_, reject) => request.signal.addEventListener('abort', reject));
    };
    const send = retrying(hanging, { ...OPTIONS, timeoutMs: 100, maxRetries: 0 });
    await expect(send(post())).rejects.toMatchObject({ code: 'timeout' });
  });

  test('because nothing listens there, the error says where and why', async () => {
    const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    const error = await answering(cause)
      .send(post())
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LociError);
    expect(error).toMatchObject({ status: 0, code: 'connection_failed' });
    expect(String(error)).toContain('http://loci.test cannot be reached: connect ECONNREFUSED');
  });

  test('because the caller gave up, the reason is theirs', async () => {
    const { send, requests } = answering(json(200, {}));
    const signal = AbortSignal.abort(new Error('gave up'));
    const hanging = retrying((request) => fetch(request), OPTIONS);
    await expect(hanging(new Request(URL, { signal }))).rejects.toThrow('gave up');
    expect(requests).toEqual([]);
    await send(post());
  });
});

test('a storm of refusals: no client comes earlier than told, and not all at once', async () => {
  const waits: number[] = [];
  await Promise.all(
    Array.from({ length: 200 }, async () => {
      let calls = 0;
      const send = retrying(
        () => Promise.resolve((calls += 1) === 1 ? refused(429, { 'retry-after': '2' }) : json(200, {})),
        OPTIONS,
        { pause: (ms) => Promise.resolve(void waits.push(ms)), random: Math.random },
      );
      await send(post());
    }),
  );
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(2_000);
  expect(new Set(waits).size).toBeGreaterThan(150);
});

test('a refusal carries the id of its request, and every problem', async () => {
  const problem = { loc: ['body', 'query'], msg: 'Field required', type: 'missing' };
  const fetch = jest.fn<Send>().mockResolvedValue(json(422, { detail: [problem] }, { 'x-request-id': 'r2' }));
  const api = createLociClient({ url: 'http://loci.test/', apiKey: 'secret', fetch });
  const call = answered(api.POST('/api/v2/memories/search', { body: { query: 'x' } }));
  await expect(call).rejects.toMatchObject({
    status: 422,
    code: 'invalid_request',
    requestId: 'r2',
    problems: [problem],
    message: 'body.query: Field required',
  });
  expect(fetch.mock.calls[0]?.[0].url).toBe('http://loci.test/api/v2/memories/search');
});
