import { forbidden } from '@loci/contracts';
import { MisdirectedException } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { BadRequestError } from '../wire/errors/bad-request.error.js';
import { headerCount } from '../wire/header-count.js';
import { type WebOrigins } from './web-origins.js';

export interface OriginGuardOptions {
  readonly origins: WebOrigins;
  /** Whether callers have to say who they are. A web page cannot know a key, and so can do nothing then. */
  readonly isAuthRequired: boolean;
}

/** What a page may send beyond what browsers allow every page, and what it may read. */
const REQUEST_HEADERS =
  'authorization, content-type, idempotency-key, x-request-id, traceparent, org-id, proj-id, user-id, mcp-protocol-version, mcp-session-id';
const ANSWER_HEADERS =
  'x-request-id, x-total-count, x-next-cursor, x-degraded, x-unsupported-language, x-ignored-fields, x-lines-taken, retry-after, www-authenticate, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset';
const METHODS = 'GET, HEAD, POST, PUT, DELETE';
const PREFLIGHT_SECONDS = '600';

/**
 * Without authentication, every client that reaches the port may do everything, and a web page reaches every port of the machine
 * that shows it: by DNS rebinding under its own name, otherwise with its origin in a header. So only names of this
 * machine and those that are listed are served then. Pages of listed origins may also read the answers (CORS).
 */
export function guardOrigins(server: FastifyInstance, { origins, isAuthRequired }: OriginGuardOptions): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { host, origin } = request.headers;
    if (headerCount(request.raw, 'host') > 1) {
      done(severalHosts());
      return;
    }
    if (host === undefined && request.raw.httpVersion !== '1.0') {
      done(noHost());
      return;
    }
    const { isOperational = false, showsUse = false } = request.routeOptions.config;
    if (!isAuthRequired && (!isOperational || showsUse)) {
      if (!origins.servesHost(host)) {
        done(new MisdirectedException());
        return;
      }
      if (origin === undefined ? isOfForeignPage(request) : !origins.servesOrigin(origin)) {
        done(foreignOrigin());
        return;
      }
    }
    if (origins.hasOrigins && allowReading(request, reply, origins)) void reply.code(204).send();
    else done();
  });
}

/**
 * Browsers send no origin with what a page embeds (images, scripts, fetches whose answer it may not read), and say that another
 * site asks. A link that a person follows is served: the page does not learn what comes of it.
 */
const isOfForeignPage = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate';

/** @returns whether the request only asks what is allowed */
function allowReading(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  origins: WebOrigins,
): boolean {
  reply.header('vary', 'origin');
  const { origin } = headers;
  if (origin === undefined || !origins.listsOrigin(origin)) return false;
  reply.header('access-control-allow-origin', origin);
  reply.header('access-control-expose-headers', ANSWER_HEADERS);
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
  reply.header('access-control-allow-methods', METHODS);
  reply.header('access-control-allow-headers', REQUEST_HEADERS);
  reply.header('access-control-max-age', PREFLIGHT_SECONDS);
  return true;
}

/** RFC 9112, 3.2: 400, with and without authentication. */
const severalHosts = (): Error =>
  new BadRequestError('bad_request', 'The request has several Host headers; send it with one.');

const noHost = (): Error =>
  new BadRequestError('bad_request', 'The request has no Host header; send it with one.');

const foreignOrigin = (): Error =>
  forbidden(
    'forbidden',
    'Without authentication, pages of other sites are not served; list the origin in ALLOWED_ORIGINS, or set AUTH=on.',
  );
