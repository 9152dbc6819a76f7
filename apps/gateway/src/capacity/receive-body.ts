import { type IncomingMessage } from 'node:http';
import { type Readable } from 'node:stream';
import { PayloadTooLargeException } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type Lease } from './lease.js';
import { HANDLING_FACTOR, REQUEST_BYTES } from './memory-budget.js';

/** What a chunk costs besides its bytes: a body that comes byte by byte is not cheap. */
const CHUNK_BYTES = 256;

/**
 * Receives a body and waits for the turn of its request: bytes count as they arrive, and a slot is taken when all of them
 * are there. Of a body that was there before it was asked for, they count only while the request waits. Routes of the
 * operator take none: there no lease bounds what clients without a key may keep here.
 * @throws AppError `overloaded` or `service_unavailable`; PayloadTooLargeException
 */
export async function receiveBody(
  { lease, headers, routeOptions }: Pick<FastifyRequest, 'lease' | 'headers' | 'routeOptions'>,
  payload: IncomingMessage,
  maxBodyBytes: number,
): Promise<Buffer> {
  const maxBytes = routeOptions.config.isOperational ? 0 : maxBodyBytes;
  if (Number(headers['content-length']) > maxBytes) throw new PayloadTooLargeException();
  const bytes = payload.complete ? readAll(payload, maxBytes) : await receiveChunks(payload, lease, maxBytes);
  await lease?.begin(REQUEST_BYTES + bytes.length * HANDLING_FACTOR, bytes.length);
  return bytes;
}

/** Counts a body as on its way while its handler reads it, line by line. */
export function followUpload(lease: Lease | undefined, payload: Readable): void {
  lease?.openUpload();
  payload.once('close', () => lease?.closeUpload());
}

/** A body that has arrived and was not read: Node holds little more of it than its buffer has room for. */
function readAll(payload: IncomingMessage, maxBytes: number): Buffer {
  const bytes = payload.read() as Buffer | null;
  if (!bytes) return Buffer.alloc(0);
  if (bytes.length > maxBytes) throw new PayloadTooLargeException();
  return ownBytes(bytes);
}

async function receiveChunks(payload: Readable, lease: Lease | undefined, maxBytes: number): Promise<Buffer> {
  lease?.openUpload();
  try {
    return await collect(payload, (chunk, total) => {
      if (total > maxBytes) throw new PayloadTooLargeException();
      lease?.receive(chunk.length + CHUNK_BYTES);
    });
  } finally {
    lease?.closeUpload();
  }
}

/** @param take may throw; the rest of the body is then let go as it arrives */
function collect(payload: Readable, take: (chunk: Buffer, total: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let total = 0;
    const settle = (finish: () => void): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      finish();
    };
    const onData = (chunk: Buffer): void => {
      total += chunk.length;
      try {
        take(chunk, total);
        chunks.push(ownBytes(chunk));
      } catch (error) {
        settle(() => reject(error instanceof Error ? error : new Error(String(error))));
        payload.on('error', () => undefined).resume();
      }
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks, total)));
    const onError = (error: Error): void => settle(() => reject(error));
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

/** A small chunk may be a view of a large buffer of the socket, and would keep all of it. */
const ownBytes = (chunk: Buffer): Buffer =>
  chunk.length * 2 < chunk.buffer.byteLength ? Buffer.from(chunk) : chunk;
