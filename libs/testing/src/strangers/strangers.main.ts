import 'reflect-metadata';
import { connect, type Socket } from 'node:net';
import { type StrangersOptions, type StrangersReport } from './strangers.js';
import { strangerRequest } from './stranger-request.js';

/**
 * The program of `Strangers`: each client sends its next request as soon as it has the answer to the one before, on the
 * same connection if the server leaves it open. Sockets instead of an HTTP client: it is to cost less than what it floods.
 */
const { url, clients, kind, addresses } = JSON.parse(process.argv[2] ?? '') as StrangersOptions & {
  readonly url: string;
};
const { hostname, port, host } = new URL(url);
const statuses: Record<string, number> = {};
let isOver = false;

const HEAD_END = '\r\n\r\n';

function client(localAddress: string): void {
  const socket = connect({ port: Number(port), host: hostname, localAddress, noDelay: true });
  let received = '';
  const send = (): void => void socket.write(strangerRequest(kind, host));
  socket.setEncoding('latin1');
  socket.on('connect', send).on('error', () => undefined);
  socket.on('data', (chunk: string) => {
    received += chunk;
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = received.slice(0, headEnd).toLowerCase();
    const bodyLength = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
    if (received.length < headEnd + HEAD_END.length + bodyLength) return;
    received = '';
    count(head.slice('http/1.1 '.length, 'http/1.1 xxx'.length));
    if (!head.includes('\r\nconnection: close')) send();
  });
  socket.on('close', () => again(socket, localAddress));
}

function again(socket: Socket, localAddress: string): void {
  if (socket.bytesRead === 0) count('hung up');
  if (!isOver) client(localAddress);
}

function count(status: string): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (statuses[status] === 1 && process.connected) process.send?.('flooding');
}

process.on('message', () => {
  isOver = true;
  const report: StrangersReport = { statuses };
  process.send?.(report, () => process.exit());
});
process.on('disconnect', () => process.exit());

for (let index = 0; index < clients; index += 1) client(addresses[index % addresses.length] ?? '127.0.0.1');
