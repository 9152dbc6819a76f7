import { type IncomingMessage } from 'node:http';
import { UnsupportedMediaTypeException } from '@nestjs/common';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { ownerOf } from '../capacity/owner.js';
import { followUpload, receiveBody } from '../capacity/receive-body.js';
import { readJson } from '../wire/json/read-json.js';
import { type BodyTurns } from './body-turns.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes no notice of its body, whatever it is. */
    ignoresBody?: boolean;
    /** The route reads its body itself, line by line: the handler is given the stream. */
    takesLines?: boolean;
  }
}

const JSON_TYPES = /^application\/(?:[\w.+-]+\+)?json(?:;|$)/;
const LINE_TYPES = /^application\/(?:x-ndjson|x-jsonlines|jsonl)(?:;|$)/;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/** Makes JSON in UTF-8 the one form of a body that the server takes. What is not: 422 if it is broken, 415 if it is something else. */
export function acceptJsonBodies(
  server: FastifyInstance,
  { maxBytes, turns }: { readonly maxBytes: number; readonly turns: BodyTurns },
): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(JSON_TYPES, async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await receiveBody(request, payload, maxBytes);
    if (request.routeOptions.config.ignoresBody) return undefined;
    return turns.read(ownerOf(request).org, bytes.length, () => readBody(request, bytes));
  });
  server.addContentTypeParser(LINE_TYPES, async (request: FastifyRequest, lines: IncomingMessage) => {
    if (!request.routeOptions.config.takesLines) throw new UnsupportedMediaTypeException();
    followUpload(request.lease, lines);
    return Promise.resolve(lines);
  });
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    await receiveBody(request, payload, maxBytes);
    if (!request.routeOptions.config.ignoresBody) throw new UnsupportedMediaTypeException();
  });
}

function readBody({ headers }: FastifyRequest, bytes: Uint8Array): unknown {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (!/^utf-?8$/.test(charset) || encoding !== 'identity') throw new UnsupportedMediaTypeException();
  return readJson(bytes);
}
