import { UnsupportedMediaTypeException } from '@nestjs/common';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { readJson } from './read-json.js';

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
export function acceptJsonBodies(server: FastifyInstance): void {
  const options = { parseAs: 'buffer' } as const;
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>(JSON_TYPES, options, (request, bytes, done) => {
    try {
      done(null, request.routeOptions.config.ignoresBody ? undefined : readBody(request, bytes));
    } catch (error) {
      done(error as Error);
    }
  });
  server.addContentTypeParser(LINE_TYPES, (request, lines, done) => {
    if (request.routeOptions.config.takesLines) done(null, lines);
    else done(new UnsupportedMediaTypeException());
  });
  server.addContentTypeParser<Buffer>('*', options, (request, _bytes, done) => {
    if (request.routeOptions.config.ignoresBody) done(null, undefined);
    else done(new UnsupportedMediaTypeException());
  });
}

function readBody({ headers }: FastifyRequest, bytes: Uint8Array): unknown {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (!/^utf-?8$/.test(charset) || encoding !== 'identity') throw new UnsupportedMediaTypeException();
  return readJson(bytes);
}
