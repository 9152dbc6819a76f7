import { type Socket } from 'node:net';
import { type Metrics } from '@loci/platform';
import { type FastifyInstance } from 'fastify';
import { clientNetwork } from '../access/client-address.js';
import { type FloodingNetworks } from './flooding-networks.js';

export interface ConnectionLimit {
  /** 0 = any number. */
  readonly perAddress: number;
  readonly flooding: FloodingNetworks;
  readonly metrics: Metrics;
}

/**
 * Hangs up on an address that has too many connections already, or had too many that flooded us: before a request is there,
 * nothing else is known of it.
 */
export function limitConnections(
  server: FastifyInstance,
  { perAddress, flooding, metrics }: ConnectionLimit,
): void {
  const refused = metrics.counter(
    'http_connections_refused_total',
    'Connections that were closed at once because their address had too many, or had flooded the gateway.',
  );
  if (perAddress === 0) return;
  const open = new Map<string, number>();
  server.server.on('connection', (socket: Socket) => {
    const address = clientNetwork(socket.remoteAddress ?? '');
    const count = open.get(address) ?? 0;
    if (count >= perAddress || flooding.isFlooding(address)) {
      refused.inc();
      socket.destroy();
      return;
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
