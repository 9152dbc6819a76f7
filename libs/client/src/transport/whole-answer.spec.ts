import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Loci, LociError } from '../index.js';

const MEGABYTE = Buffer.alloc(1024 * 1024, ' ');

type Answer = (response: ServerResponse) => void;

let url: string;
let answer: Answer;
let asked: IncomingMessage[];

const server = createServer((request, response) => {
  asked.push(request);
  request.resume();
  answer(response);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  asked = [];
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What adding a message to the server fails with. */
async function failureOf(given: Answer, timeoutMs = 5_000): Promise<unknown> {
  answer = given;
  const loci = new Loci({
    url,
    apiKey: 'secret',
    headers: { 'x-proxy-key': 'other' },
    timeoutMs,
    maxRetries: 1,
  });
  const added = loci.memory({ org: 'acme', project: 'apollo' }).add('Ada drinks tea.');
  return added.then(
    () => 'nothing',
    (error: unknown) => error,
  );
}

const answering =
  (status: number, type: string, body: string): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  };

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) is not followed: nothing is sent elsewhere, and no write is told as done',
  async (status) => {
    const failure = await failureOf((response) => {
      response.writeHead(status, { location: `${url.replace('127.0.0.1', 'localhost')}/elsewhere` }).end();
    });
    expect(failure).toBeInstanceOf(LociError);
    expect(failure).toMatchObject({ status, code: 'redirected' });
    expect(String(failure)).toContain('a redirect to http://localhost:');
    expect(asked.map(({ method, url: path }) => `${method} ${path}`)).toEqual(['POST /api/v2/memories']);
  },
);

describe('what is no answer of Loci is an error that says so, at once', () => {
  test.each([
    ['a page', answering(200, 'text/html', '<html></html>'), 'with text/html'],
    ['nothing', answering(200, 'application/json', ''), 'with nothing'],
    ['null', answering(200, 'application/json', 'null'), 'no JSON of Loci: null'],
    ['half of a JSON', answering(200, 'application/json', '{"results":'), 'no JSON'],
  ])('%s', async (_, given, words) => {
    const failure = await failureOf(given);
    expect(failure).toBeInstanceOf(LociError);
    expect(failure).toMatchObject({ code: 'unexpected_answer' });
    expect(String(failure)).toContain(words);
    expect(asked).toHaveLength(1);
  });

  test('more bytes than any, of which no more are read', async () => {
    let sent = 0;
    const failure = await failureOf((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (sent < 1_000 && !response.destroyed) {
          sent += 1;
          if (!response.write(MEGABYTE)) {
            response.once('drain', more);
            return;
          }
        }
      };
      more();
    }, 60_000);
    expect(failure).toMatchObject({ status: 200, code: 'unexpected_answer' });
    expect(sent).toBeLessThan(200);
    expect(asked).toHaveLength(1);
  });
});

test.each([200, 400])(
  'the time of an attempt counts for all of an answer that is no JSON (%i)',
  async (status) => {
    const failure = await failureOf((response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).write('<html>');
    }, 100);
    expect(failure).toMatchObject({ code: 'timeout' });
  },
);

test.each(['{"detail":null}', '{"detail":[{"x":1}]}', '{"detail":{"a":1}}', '[]', 'null', 'No.'])(
  'a refusal %s, in the words of another, is one with its status',
  async (body) => {
    const failure = await failureOf(answering(400, 'application/json', body));
    expect(failure).toBeInstanceOf(LociError);
    expect(failure).toMatchObject({ status: 400, code: 'unknown', message: 'Status 400' });
  },
);
