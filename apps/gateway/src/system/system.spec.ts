import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkHealth, unavailable } from '@loci/contracts';
import { VERSION } from '@loci/platform';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway();
});

afterEach(() => gateway.app.close());

const well = () => ({ ready: true, failing: [] });

describe('health', () => {
  test.each(['/health', '/api/v2/health', '/v2/health'])('200 %s: every service can work', async (url) => {
    gateway.rpc
      .on(checkHealth('config'), well)
      .on(checkHealth('semantic'), well)
      .on(checkHealth('episodic'), well);
    const answer = await gateway.app.inject(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'healthy', service: 'loci', version: VERSION });
  });

  test('503: names what does not work, and when to ask again', async () => {
    gateway.rpc
      .on(checkHealth('semantic'), well)
      .on(checkHealth('config'), () => {
        throw unavailable('service_unavailable', 'Not there.');
      })
      .on(checkHealth('episodic'), () => ({ ready: false, failing: ['postgres', 'nats'] }));
    const answer = await gateway.app.inject('/health');
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.json()).toEqual({
      status: 'unhealthy',
      service: 'loci',
      version: VERSION,
      detail: 'Not ready: config (no answer); episodic (postgres, nats). Try again in a second.',
      code: 'service_unavailable',
    });
  });

  test('many questions at once are one question to each service', async () => {
    gateway.rpc
      .on(checkHealth('config'), well)
      .on(checkHealth('semantic'), well)
      .on(checkHealth('episodic'), well);
    await Promise.all(Array.from({ length: 20 }, () => gateway.app.inject('/health')));
    expect(gateway.rpc.requests(checkHealth('config'))).toHaveLength(1);
    expect(gateway.rpc.requests(checkHealth('episodic'))).toHaveLength(1);
  });
});

describe('probes', () => {
  test('200 /health/live: always, whatever is down', async () => {
    gateway.health.register('nats', () => false);
    expect((await gateway.app.inject('/health/live')).statusCode).toBe(200);
  });

  test('/health/ready: 200 while NATS is connected, otherwise 503', async () => {
    let isConnected = true;
    gateway.health.register('nats', () => isConnected);
    expect((await gateway.app.inject('/health/ready')).statusCode).toBe(200);
    isConnected = false;
    const answer = await gateway.app.inject('/health/ready');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ failing: ['nats'], code: 'service_unavailable' });
  });
});

describe('metrics', () => {
  test.each(['/metrics', '/api/v2/metrics', '/v2/metrics'])('200 %s: Prometheus text', async (url) => {
    const answer = await gateway.app.inject(url);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.body).toContain('# TYPE http_requests_total counter');
  });

  test.each(['/metrics/', '/api/v2/metrics/', '/v2/metrics/', '/%6detrics', '/v2/metric%73'])(
    '404 %s: a proxy that closes the path does not know this spelling of it',
    async (url) => {
      const answer = await gateway.app.inject(url);
      expect(answer.statusCode).toBe(404);
      expect(answer.body).not.toContain('http_requests_total');
      expect((await gateway.app.inject('/metrics?name=x')).statusCode).toBe(200);
    },
  );

  test('count and time requests by method, template of the route and status', async () => {
    await gateway.app.inject({ method: 'POST', url: '/api/v2/memories?x=1', payload: {} });
    await gateway.app.inject('/nothing/here');
    const { body } = await gateway.app.inject('/metrics');
    expect(body).toMatch(
      /^http_requests_total\{method="POST",path="\/api\/v2\/memories",status="422",.*\} 1$/m,
    );
    expect(body).toMatch(/^http_requests_total\{method="GET",path="unknown",status="404",.*\} 1$/m);
    expect(body).toMatch(/^http_request_duration_seconds_count\{.*path="\/api\/v2\/memories".*\} 1$/m);
  });
});
