import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { RuntimeError } from './runtime-error.js';

/**
 * Below the ports that Linux (32768 up) and macOS (49152 up) hand to outgoing connections. A server that is restarted
 * on its port must not find there a client that was given it meanwhile: its own, trying to reconnect, connects to itself.
 */
const FIRST_PORT = 16_384;
const LAST_PORT = 32_767;
const BLOCK = 16;
const LOOPBACK = '127.0.0.1';

/**
 * Gives TCP ports of loopback for servers that will listen only seconds later. Several products that start at the same
 * time must not choose the same port meanwhile. So each process takes ports in blocks: it listens on the first port of
 * a block until it ends, and no other process takes ports from a block whose first port it cannot listen on.
 */
export class FreePorts {
  private block: number[] = [];
  private last: Promise<unknown> = Promise.resolve();

  /** A free port, never given twice by this process, nor by another that chooses in the same way. */
  next(): Promise<number> {
    const next = this.last.then(() => this.choose());
    this.last = next.catch(() => undefined);
    return next;
  }

  private async choose(): Promise<number> {
    for (;;) {
      const port = this.block.shift();
      if (port === undefined) this.block = await takeBlock();
      else if (!(await listenProblem({ port, host: LOOPBACK }))) return port;
    }
  }
}

const ATTEMPTS = 100;

/** @throws RuntimeError `port_in_use` when none of many blocks is free */
async function takeBlock(): Promise<number[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = FIRST_PORT + BLOCK * randomInt((LAST_PORT + 1 - FIRST_PORT) / BLOCK);
    if (await listenUntilTheEnd(first)) return Array.from({ length: BLOCK - 1 }, (_, i) => first + 1 + i);
  }
  throw new RuntimeError(
    'port_in_use',
    `No free ports were found from ${FIRST_PORT} to ${LAST_PORT}: stop programs that listen there.`,
  );
}

async function listenUntilTheEnd(port: number): Promise<boolean> {
  const server = createServer((socket) => socket.destroy()).unref();
  server.listen({ port, host: LOOPBACK, exclusive: true });
  return once(server, 'listening').then(
    () => true,
    () => false,
  );
}

const ports = new FreePorts();

/** A free TCP port on loopback: see `FreePorts`. */
export const freePort = (): Promise<number> => ports.next();

/** Where to listen, and the settings that chose it, as the operator knows them. */
export interface Door {
  readonly port: number;
  readonly host: string;
  readonly portVariable: string;
  readonly hostVariable?: string;
}

/**
 * Makes sure that a port can be listened on, so that a clash is a sentence and not a stack of some server.
 * @throws RuntimeError `port_in_use`
 */
export async function assertPortFree(door: Door): Promise<void> {
  const problem = await listenProblem(door);
  if (problem === undefined) return;
  throw new RuntimeError('port_in_use', sentence(problem, door), { cause: problem });
}

function sentence({ code, message }: NodeJS.ErrnoException, door: Door): string {
  const { port, host, portVariable, hostVariable = 'the address' } = door;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use by another process: stop that process, or set ${portVariable} to a free port.`;
    case 'EACCES':
      return `Port ${port} on ${host} needs privileges that this process lacks: set ${portVariable} to a port above 1023.`;
    default:
      return `Nothing can listen on ${host} (${code ?? message}): set ${hostVariable} to an address of this machine.`;
  }
}

function listenProblem({
  port,
  host,
}: Pick<Door, 'port' | 'host'>): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
