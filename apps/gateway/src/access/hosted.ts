import { type FastifyRequest } from 'fastify';
import { isJsonObject } from '../wire/reading/collections.js';
import { type Caller } from './caller.js';

const HOSTED_PREFIX = '/v2/';
const DEFAULT_PROJECT = 'universal';

/** Whether a path belongs to the hosted form, in which the token decides organization and project. */
export const isHostedPath = (path: string): boolean => path.startsWith(HOSTED_PREFIX);

export const isHosted = ({ routeOptions: { url } }: FastifyRequest): boolean =>
  url !== undefined && isHostedPath(url);

/**
 * The body with the tenant of its caller, whatever it says itself. A caller who is bound to no project names one; the
 * hosted form writes the default one as an empty text, too.
 */
export function hostedBody({ bounds: { orgId, projectId } }: Caller, body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  const chosen = body['project_id'];
  const isOpen = chosen === undefined || chosen === '';
  return { ...body, org_id: orgId, project_id: projectId ?? (isOpen ? DEFAULT_PROJECT : chosen) };
}
