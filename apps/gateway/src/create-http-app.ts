import { type ServerOptions } from 'node:http';
import { RpcClient } from '@loci/messaging';
import { Logger, Metrics, NestLogger, nestLogger } from '@loci/platform';
import { type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { guardAccess } from './access/access-guard.js';
import { nameAuthors } from './access/author-scope.js';
import { FailedCallers } from './access/failed-callers.js';
import { limitRates } from './access/rate-limit.js';
import { Sessions } from './access/sessions.js';
import { TokenVerifier } from './access/token-verifier.js';
import { auditRequests } from './audit/audit-requests.js';
import { AuditTrail } from './audit/audit-trail.js';
import { LevelsOfThings } from './audit/levels-of-things.js';
import { Capacity } from './capacity/capacity.js';
import { capacityOptions } from './capacity/capacity-options.js';
import { openLeases, takeTurns } from './capacity/take-turns.js';
import { type GatewayEnv } from './env.js';
import { BodyTurns } from './http/body-turns.js';
import { acceptJsonBodies } from './http/json-body-parser.js';
import { answerBadPath, answerBrokenHttp } from './http/broken-requests.js';
import { trustedProxies } from './access/client-address.js';
import { hangUpOnClose } from './http/graceful-close.js';
import { guardOrigins } from './http/guard-origins.js';
import { limitConnections } from './http/limit-connections.js';
import { limitPipelining } from './http/limit-pipelining.js';
import { ignoreOtherExpectations } from './http/other-expectations.js';
import { hangUpOnSlowReaders } from './http/slow-readers.js';
import { spaceRefusals } from './http/spaced-refusals.js';
import { letGoOfBodies } from './http/unread-bodies.js';
import { recordRequests } from './http/request-record.js';
import { openRequestScope, requestIdOf } from './http/request-scope.js';
import { traceRequests } from './http/request-trace.js';
import { answerUnmatchedRequests } from './http/unmatched-requests.js';
import { WebOrigins } from './http/web-origins.js';
import { pointToMetadata } from './mcp/protected-resource.js';
import { nameIgnoredFields } from './wire/ignored-fields.js';

/** Of a name in a path: 255 characters, each of up to four bytes, percent-encoded. */
const MAX_PARAMETER_CHARS = 255 * 12;

/** Headers come in one piece; a client that sends them slowly occupies a connection for nothing. */
const HEADERS_TIMEOUT_MS = 10_000;

/**
 * Node looks every 30 s at what is not complete, unless it is told to look more often. It takes the longer of the time for
 * headers, by default a minute, and the time for a request as that for the request.
 */
const slowClientLimits = (timeoutMs: number): ServerOptions => ({
  headersTimeout: Math.min(timeoutMs, HEADERS_TIMEOUT_MS),
  connectionsCheckingInterval: Math.ceil(timeoutMs / 10),
});

/** An answer may come after its deadline where the process, or what it asks to record the request, is slow. */
const idleTimeout = ({ RECEIVE_TIMEOUT_MS, REQUEST_TIMEOUT_MS }: GatewayEnv): number =>
  RECEIVE_TIMEOUT_MS + 2 * REQUEST_TIMEOUT_MS;

/** Fastify with the limits of a connection and of a request that is still on its way. */
const fastifyAdapter = (env: GatewayEnv): FastifyAdapter =>
  new FastifyAdapter({
    trustProxy: trustedProxies(env.TRUSTED_PROXIES),
    bodyLimit: env.MAX_BODY_BYTES,
    requestTimeout: env.RECEIVE_TIMEOUT_MS,
    // a client that neither sends nor takes anything for so long is gone
    connectionTimeout: idleTimeout(env),
    // Node would refuse one without Host with an empty answer
    http: { ...slowClientLimits(env.RECEIVE_TIMEOUT_MS), requireHostHeader: false },
    // who is already connected is served to the end, and is then told to go
    return503OnClosing: false,
    genReqId: requestIdOf,
    frameworkErrors: answerBadPath,
    clientErrorHandler: answerBrokenHttp,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_CHARS },
    skipMiddie: true,
  });

/** The HTTP application of a module: every request passes the steps below, in this sequence, before its handler. */
export async function createHttpApp(module: DynamicModule, env: GatewayEnv): Promise<NestFastifyApplication> {
  const { MAX_BODY_BYTES, REQUEST_TIMEOUT_MS } = env;
  const adapter = fastifyAdapter(env);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger: nestLogger(env),
    abortOnError: false,
  });
  app.useLogger(new NestLogger(app.get(Logger)));
  const server = adapter.getInstance();
  // behind proxies all clients have the address of a proxy, which bounds them itself
  const perAddress = env.TRUSTED_PROXIES === '' ? env.MAX_CONNECTIONS_PER_ADDRESS : 0;
  const metrics = app.get(Metrics);
  limitPipelining(server, limitConnections(server, { perAddress, metrics }));
  spaceRefusals(server, metrics);
  hangUpOnSlowReaders(server, env.MIN_READ_BYTES_PER_SECOND, { withinMs: idleTimeout(env), metrics });
  letGoOfBodies(server, MAX_BODY_BYTES);
  ignoreOtherExpectations(server);
  openRequestScope(server, REQUEST_TIMEOUT_MS);
  traceRequests(server);
  recordRequests(server, metrics, app.get(Logger));
  guardOrigins(server, {
    origins: new WebOrigins(env.ALLOWED_HOSTS, env.ALLOWED_ORIGINS),
    isAuthRequired: env.isAuthRequired,
  });
  answerUnmatchedRequests(server);
  takeTurns(server, MAX_BODY_BYTES);
  const tokens = app.get(TokenVerifier, { strict: false });
  auditRequests(server, app.get(AuditTrail), new LevelsOfThings(app.get(RpcClient)));
  pointToMetadata(server, env);
  const failed = app.get(FailedCallers, { strict: false });
  const sessions = app.get(Sessions, { strict: false });
  guardAccess(server, { tokens, failed, sessions, isRequired: env.isAuthRequired, limits: env });
  openLeases(server, new Capacity(capacityOptions(env), metrics));
  nameAuthors(server);
  await limitRates(server, env.rateLimitPerMinute);
  acceptJsonBodies(server, { maxBytes: MAX_BODY_BYTES, turns: app.get(BodyTurns, { strict: false }) });
  nameIgnoredFields(server);
  hangUpOnClose(server);
  return app;
}
