import { unauthenticated } from '@loci/contracts';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { isJsonObject } from '../wire/reading/collections.js';
import { type Caller, type TokenVerifier } from './token-verifier.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom a call under the hosted prefix acts for; undefined under the self-hosted one. */
    caller: Caller | undefined;
  }
}

const HOSTED_PREFIX = '/v2/';
const DEFAULT_PROJECT = 'universal';
const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

/**
 * Lets calls under the hosted prefix through with a known token only, before their body is read. Their organization and
 * project are those of the token, whatever the body says.
 */
export function guardHostedCalls(server: FastifyInstance, tokens: TokenVerifier): void {
  server.decorateRequest('caller', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    if (isHosted(request)) authenticate(request, tokens).then(() => done(), done);
    else done();
  });
  server.addHook('preValidation', (request, _reply, done) => {
    const { caller, body } = request;
    if (caller && isJsonObject(body)) request.body = { ...body, ...tenantOf(caller, body['project_id']) };
    done();
  });
}

async function authenticate(request: FastifyRequest, tokens: TokenVerifier): Promise<void> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  request.caller = token === undefined ? undefined : await tokens.verify(token);
  if (request.caller) return;
  throw unauthenticated('unauthenticated', 'Send a valid token in the header authorization: Bearer <token>.');
}

const isHosted = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.url?.startsWith(HOSTED_PREFIX) === true && !routeOptions.config.isOperational;

/** @param chosen the project that the body names; the hosted form writes the default one as an empty text, too */
const tenantOf = (
  { orgId, projectId }: Caller,
  chosen: unknown,
): { org_id: string; project_id: unknown } => ({
  org_id: orgId,
  project_id: projectId ?? (chosen === undefined || chosen === '' ? DEFAULT_PROJECT : chosen),
});
