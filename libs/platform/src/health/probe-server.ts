import { createServer, type Server, type ServerResponse } from 'node:http';
import { type Metrics } from '../metrics/metrics.js';
import { isLoopback, isLoopbackName } from '../net/is-loopback.js';
import { type HealthChecks } from './health-checks.js';

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

/**
 * The HTTP side door of a service for its operator: `/health/live`, `/health/ready`, `/metrics`. No client traffic. One that
 * only its machine reaches shows its metrics under names of the machine alone: a web page reaches it under any other (DNS
 * rebinding).
 */
export class ProbeServer {
  private server: Server | undefined;

  constructor(
    private readonly health: HealthChecks,
    private readonly metrics: Metrics,
  ) {}

  /** @param port 0 picks a free one */
  async listen(port: number, host: string): Promise<void> {
    const isServed = isLoopback(host) ? namesLoopback : () => true;
    const server = createServer((request, response) => {
      void this.answer(request.url ?? '/', isServed(request.headers.host)).then(
        (answer) => send(response, answer),
        (error: unknown) =>
          send(response, { status: 500, body: error instanceof Error ? error.name : 'Error' }),
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    this.server = server;
  }

  async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private async answer(path: string, isServed: boolean): Promise<Answer> {
    switch (path) {
      case '/health/live':
        return json(200, { status: 'alive' });
      case '/health/ready': {
        const failing = await this.health.failing();
        return failing.length === 0
          ? json(200, { status: 'ready' })
          : json(503, { status: 'not ready', failing });
      }
      case '/metrics':
        if (!isServed) return json(421, { detail: 'Metrics are shown under names of this machine.' });
        return { status: 200, type: this.metrics.contentType, body: await this.metrics.render() };
      default:
        return json(404, { detail: 'Not Found' });
    }
  }
}

/** @param host a `Host` header */
function namesLoopback(host = ''): boolean {
  const url = `http://${host}`;
  return URL.canParse(url) && isLoopbackName(new URL(url).hostname);
}

const json = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });

function send(
  response: ServerResponse,
  { status, type = 'application/json; charset=utf-8', body }: Answer,
): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}
