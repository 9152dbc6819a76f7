import { afterEach, describe, expect, test } from '@jest/globals';
import { listProjects } from '@loci/contracts';
import { sendLines } from '../../test/raw-http.js';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';

const LIST = 'POST /api/v2/projects/list HTTP/1.1';
const MCP = 'POST /mcp HTTP/1.1';
const PAGE = 'https://console.example.com';

let gateway: TestGateway;

afterEach(() => gateway.app.close());

async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  gateway = await startTestGateway(settings);
  gateway.rpc.on(listProjects, () => ({ projects: [] }));
}

describe('without authentication', () => {
  test.each([LIST, MCP, 'GET /nothing HTTP/1.1'])('%s under a foreign name is 421', async (line) => {
    await start();
    const answer = await sendLines(gateway, [line, 'host: rebound.example']);
    expect(answer.status).toBe(421);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'host_not_served' });
    expect(gateway.rpc.requests(listProjects)).toEqual([]);
  });

  test.each([LIST, MCP])('%s by a page of another site is 403', async (line) => {
    await start();
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await sendLines(gateway, [line, 'host: localhost', `origin: ${origin}`]);
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'forbidden' });
    }
    expect(gateway.rpc.requests(listProjects)).toEqual([]);
  });

  test('what a page of another site embeds is 403, a link to us is served', async () => {
    await start();
    const asked = async (mode: string): Promise<number> => {
      const headers = ['host: localhost', 'sec-fetch-site: cross-site', `sec-fetch-mode: ${mode}`];
      return (await sendLines(gateway, ['GET /nothing HTTP/1.1', ...headers])).status;
    };
    expect([await asked('no-cors'), await asked('navigate')]).toEqual([403, 404]);
  });

  test.each(['localhost:8080', '127.0.0.1', '[::1]:1'])('%s is served', async (host) => {
    await start();
    expect((await sendLines(gateway, [LIST, `host: ${host}`])).status).toBe(200);
    expect((await sendLines(gateway, [LIST, `host: ${host}`, 'origin: http://localhost:5173'])).status).toBe(
      200,
    );
  });

  test('a request of HTTP/1.1 without Host is told so', async () => {
    await start();
    const { status, headers, body } = await sendLines(gateway, [LIST]);
    expect({ status, body: JSON.parse(body) as unknown }).toMatchObject({
      status: 400,
      body: { code: 'bad_request', detail: 'The request has no Host header; send it with one.' },
    });
    expect(headers.get('x-request-id')).toBeDefined();
  });

  test('of several Host headers none counts', async () => {
    await start();
    for (const hosts of [
      ['host: localhost', 'host: rebound.example'],
      ['host: rebound.example', 'Host: localhost'],
      ['host: localhost', 'host: localhost'],
    ]) {
      const { status, body } = await sendLines(gateway, [LIST, ...hosts]);
      expect(status).toBe(400);
      expect(body).toContain('several Host headers');
    }
    expect(gateway.rpc.requests(listProjects)).toEqual([]);
  });

  test('names and pages that are listed are served', async () => {
    await start({ ALLOWED_HOSTS: 'loci.internal', ALLOWED_ORIGINS: PAGE });
    expect((await sendLines(gateway, [LIST, 'host: loci.internal', `origin: ${PAGE}`])).status).toBe(200);
  });

  test.each(['/health/live', '/health', '/openapi.json'])(
    '%s answers under any name: it shows nothing of what is done here',
    async (path) => {
      await start();
      const line = `GET ${path} HTTP/1.1`;
      expect((await sendLines(gateway, [line, 'host: 10.1.2.3:8080'])).status).not.toBe(421);
    },
  );

  test.each(['/metrics', '/api/v2/metrics', '/v2/metrics'])(
    '%s answers under names that are served, and to no foreign page',
    async (path) => {
      await start({ ALLOWED_HOSTS: 'gateway' });
      const ask = async (...headers: string[]): Promise<number> =>
        (await sendLines(gateway, [`GET ${path} HTTP/1.1`, ...headers])).status;
      expect(await ask('host: rebound.example')).toBe(421);
      expect(await ask('host: 10.1.2.3:8080')).toBe(421);
      expect(await ask('host: localhost', 'origin: https://evil.example')).toBe(403);
      expect(await ask('host: localhost:8080')).toBe(200);
      expect(await ask('host: gateway:8080')).toBe(200);
    },
  );
});

test('with authentication any name is served, to those who have a key', async () => {
  await start({ AUTH: 'on' });
  expect((await sendLines(gateway, [LIST, 'host: loci.example'])).status).toBe(401);
  expect((await sendLines(gateway, ['GET /metrics HTTP/1.1', 'host: 10.1.2.3:8080'])).status).toBe(200);
  const twice = await sendLines(gateway, [LIST, 'host: loci.example', 'host: other.example']);
  expect(twice.status).toBe(400);
  expect(twice.body).not.toContain('Without authentication');
});

describe('pages of other origins', () => {
  const preflight = (path: string, origin = PAGE): string[] => [
    `OPTIONS ${path} HTTP/1.1`,
    'host: localhost',
    `origin: ${origin}`,
    'access-control-request-method: POST',
    'access-control-request-headers: authorization,content-type,idempotency-key,x-request-id',
  ];

  test('may read nothing unless they are listed', async () => {
    await start();
    const answers = [
      await sendLines(gateway, preflight('/api/v2/memories', 'http://localhost:5173')),
      await sendLines(gateway, [LIST, 'host: localhost', 'origin: http://localhost:5173']),
    ];
    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  test.each(['/api/v2/memories', '/mcp'])('that are listed may send our headers to %s', async (path) => {
    await start({ AUTH: 'on', ALLOWED_ORIGINS: PAGE });
    const { status, headers } = await sendLines(gateway, preflight(path));
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(headers.get('access-control-allow-methods')).toContain('DELETE');
    const allowed = headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'x-request-id']),
    );
    expect(headers.get('vary')).toBe('origin');
  });

  test('that are listed may read answers and refusals, with their headers', async () => {
    await start({ AUTH: 'on', ALLOWED_ORIGINS: PAGE });
    const { status, headers } = await sendLines(gateway, [LIST, 'host: loci.example', `origin: ${PAGE}`]);
    expect(status).toBe(401);
    expect(headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(headers.get('access-control-expose-headers')).toContain('x-total-count');
    const foreign = await sendLines(gateway, [LIST, 'host: loci.example', 'origin: https://evil.example']);
    expect(foreign.headers.has('access-control-allow-origin')).toBe(false);
    expect(foreign.headers.get('vary')).toBe('origin');
  });
});
