import { connect } from 'node:net';
import { type TestGateway } from './test-gateway.js';

export interface RawAnswer {
  readonly status: number;
  /** In lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends lines as they are, with nothing that a client would add, and reads until the server hangs up. */
export async function sendLines({ app }: TestGateway, lines: readonly string[]): Promise<RawAnswer> {
  if (!app.getHttpServer().listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const { hostname, port } = new URL(await app.getUrl());
  const socket = connect(Number(port), hostname);
  const chunks: string[] = [];
  socket.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const [request, ...headers] = lines;
  socket.write([request, ...headers, 'connection: close', '', ''].join('\r\n'));
  await new Promise((resolve) => socket.once('close', resolve));
  return parse(chunks.join(''));
}

function parse(answer: string): RawAnswer {
  const [head = '', ...body] = answer.split('\r\n\r\n');
  const [status = '', ...headers] = head.split('\r\n');
  const fields = headers.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(status.split(' ')[1]), headers: new Map(fields), body: body.join('\r\n\r\n') };
}
