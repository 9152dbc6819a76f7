import { type Socket } from 'node:net';
import { type Metrics } from '@loci/platform';
import { type FastifyInstance } from 'fastify';
import { clientNetwork } from '../access/client-address.js';
import { FloodingNetworks } from './flooding-networks.js';

export interface ConnectionLimit {
  /** 0 = any number. */
  readonly perAddress: number;
  readonly metrics: Metrics;
}

/**
 * Hangs up on an address that has too many connections already: before a request is there, nothing else is known of it. One
 * that floods us loses all of them: the parser takes 15 ms of the process for each packet of a connection that is open.
 * @returns to be told of connections that flooded us
 */
export function limitConnections(
  server: FastifyInstance,
  { perAddress, metrics }: ConnectionLimit,
): FloodingNetworks {
  const refused = metrics.counter(
    'http_connections_refused_total',
    'Connections that were closed at once because their address had too many, or had flooded the gateway.',
  );
  const open = new Map<string, Set<Socket>>();
  const flooding = new FloodingNetworks((network) => {
    for (const socket of open.get(network) ?? []) socket.destroy();
  });
  if (perAddress === 0) return flooding;
  server.server.on('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress ?? '');
    const others = open.get(network) ?? new Set();
    if (others.size >= perAddress || flooding.isFlooding(network)) {
      refused.inc();
      socket.destroy();
      return;
    }
    open.set(network, others.add(socket));
    socket.once('close', () => {
      others.delete(socket);
      if (others.size === 0) open.delete(network);
    });
  });
  return flooding;
}
