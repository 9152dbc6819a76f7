import getPort from 'get-port';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { RuntimeError } from './runtime-error.js';

/**
 * Below the ports that Linux (32768 up) and macOS (49152 up) hand to outgoing connections. A server that is restarted
 * on its port must not find there a client that was given it meanwhile: its own, trying to reconnect, connects to itself.
 */
const FIRST_PORT = 16_384;
const LAST_PORT = 32_767;
const ATTEMPTS = 100;

/** A free TCP port on loopback, never given twice by this process. */
export function freePort(): Promise<number> {
  return getPort({ port: randomPorts(), host: '127.0.0.1', reserve: true });
}

function* randomPorts(): Generator<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) yield randomInt(FIRST_PORT, LAST_PORT + 1);
}

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

function listenProblem({ port, host }: Door): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
