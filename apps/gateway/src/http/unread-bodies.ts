import { type IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';
import { type FastifyInstance } from 'fastify';

/** How much of a body is still taken after its answer, and for how long. */
export interface LingerLimits {
  readonly bytes: number;
  readonly ms: number;
}

const LINGER: LingerLimits = { bytes: 64 * 1024 * 1024, ms: 5_000 };

const LOOK_INTERVAL_MS = 100;

/**
 * What is left of a body when its request is answered must not stand in front of the next request on the connection. A body
 * of a usual size is let go as it arrives, and the connection stays; behind one that may be larger, or whose size is not
 * told, it ends with the answer, which says so.
 *
 * It is closed a little later than answered: closing it while bytes arrive resets it, and a client that is still sending
 * would never see the answer. nginx calls this a lingering close.
 * @param maxBodyBytes of a body of a usual size
 */
export function letGoOfBodies(server: FastifyInstance, maxBodyBytes: number, limits = LINGER): void {
  const ending = new WeakSet<Socket>();
  server.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    // no answer would reach a client there any more
    if (ending.has(socket)) reply.hijack();
    else done();
  });
  server.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (!raw.readableEnded) {
      if (!raw.complete && !isUsual(raw, maxBodyBytes)) {
        reply.header('connection', 'close');
        ending.add(raw.socket);
        closeLater(raw, limits);
      }
      // one that a handler has begun to read, and left, is not let go by Node
      reply.raw.once('finish', () => raw.on('error', () => undefined).resume());
    }
    done(null, payload);
  });
}

function isUsual({ headers }: IncomingMessage, maxBytes: number): boolean {
  const isChunked = headers['transfer-encoding'] !== undefined;
  return !isChunked && Number(headers['content-length'] ?? 0) <= maxBytes;
}

/** Node ends a connection by this method once the answer is out. */
function closeLater(body: IncomingMessage, limits: LingerLimits): void {
  const { socket } = body;
  socket.destroySoon = () => linger(socket, body, limits);
}

function linger(socket: Socket, body: IncomingMessage, { bytes, ms }: LingerLimits): void {
  const close = (): void => void socket.destroy();
  if (body.complete) {
    if (socket.writableFinished) close();
    else socket.end(close);
    return;
  }
  const endsAt = performance.now() + ms;
  const most = socket.bytesRead + bytes;
  // Node reads the rest without a sign of it: no `data` comes from a body that was let go
  const timer = setInterval(
    () => {
      if (socket.bytesRead > most || performance.now() >= endsAt) close();
    },
    Math.min(ms, LOOK_INTERVAL_MS),
  );
  socket.once('close', () => clearInterval(timer));
  body.once('end', close);
  socket.end();
}
