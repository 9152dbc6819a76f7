import { connect, type Socket } from 'node:net';
import { type TestGateway } from './test-gateway.js';

/** A request whose body never comes to its end. */
export interface HalfRequest {
  /** The status that it is answered with all the same, or undefined when the connection ends without. */
  readonly status: Promise<number | undefined>;
  readonly socket: Socket;
}

/**
 * Begins a request and stops in the middle of its body.
 * @param begun what is sent of the body, of `length` bytes altogether
 */
export async function beginRequest(
  { app }: TestGateway,
  path: string,
  { authorization, begun, length }: { authorization: string; begun: string; length: number },
): Promise<HalfRequest> {
  if (!app.getHttpServer().listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const { hostname, port } = new URL(await app.getUrl());
  const socket = connect(Number(port), hostname);
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    'content-type: application/json',
    `content-length: ${length}`,
    `authorization: ${authorization}`,
  ];
  const status = new Promise<number | undefined>((resolve) => {
    socket.once('data', (bytes: Buffer) => resolve(Number(bytes.toString().split(' ')[1])));
    socket.once('close', () => resolve(undefined)).on('error', () => undefined);
  });
  await new Promise((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n${begun}`, resolve));
  return { status, socket };
}
