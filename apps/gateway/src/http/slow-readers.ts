import { type Socket } from 'node:net';
import { type Metrics } from '@loci/platform';
import { type FastifyInstance } from 'fastify';

export interface SlowReaderOptions {
  /** Over how long the pace is measured: a client may pause, and read faster afterwards. */
  readonly withinMs: number;
  readonly metrics: Metrics;
}

/** How often it is looked, within the time of the pace. */
const LOOKS = 10;

/** Where the answer of a connection was when it was last measured. */
interface Mark {
  readonly takenBytes: number;
  readonly atMs: number;
}

/**
 * Hangs up on a client that has left an answer waiting in our memory and takes less of it than the pace asks for, whatever it
 * sends meanwhile. A connection where nothing waits is never hung up on: a stream without news, an export whose next page
 * is being read.
 * @param bytesPerSecond 0 = whatever
 */
export function hangUpOnSlowReaders(
  server: FastifyInstance,
  bytesPerSecond: number,
  { withinMs, metrics }: SlowReaderOptions,
): void {
  const slow = metrics.counter(
    'http_slow_readers_total',
    'Connections that were closed because their client took an answer too slowly.',
  );
  const open = new Map<Socket, Mark | undefined>();
  server.server.on('connection', (socket: Socket) => {
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
  });
  const look = (): void => {
    const now = performance.now();
    for (const [socket, mark] of open) {
      const takenBytes = socket.writableLength > 0 ? takenOf(socket) : undefined;
      if (takenBytes === undefined) {
        if (mark) open.set(socket, undefined);
      } else if (!mark) {
        open.set(socket, { takenBytes, atMs: now });
      } else if (now - mark.atMs >= withinMs) {
        const leastBytes = (bytesPerSecond * (now - mark.atMs)) / 1_000;
        open.set(socket, { takenBytes, atMs: now });
        if (takenBytes - mark.takenBytes >= leastBytes) continue;
        slow.inc();
        // what the kernel holds of the answer goes, too
        socket.resetAndDestroy();
      }
    }
  };
  const timer = setInterval(look, Math.ceil(withinMs / LOOKS)).unref();
  server.addHook('onClose', (_server, done) => {
    clearInterval(timer);
    done();
  });
}

/**
 * What the client, or the kernel for it, has taken. Node counts what it was given to write, and does not say how much of a
 * long text is out; its own timeout of sockets reads this queue, too.
 */
function takenOf(socket: Socket): number | undefined {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null) return undefined;
  const written: unknown = Reflect.get(handle, 'bytesWritten');
  const queued: unknown = Reflect.get(handle, 'writeQueueSize');
  return typeof written === 'number' && typeof queued === 'number' ? written - queued : undefined;
}
