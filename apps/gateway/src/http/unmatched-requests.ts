import { MethodNotAllowedException, NotFoundException } from '@nestjs/common';
import { type FastifyInstance, type FastifyRequest } from 'fastify';

/**
 * Answers what no route takes: 404 for an unknown path; for a known one OPTIONS with its methods, or 405. A route that shows
 * what is done here takes its path as it is written alone, and every other spelling of it is unknown.
 */
export function answerUnmatchedRequests(server: FastifyInstance): void {
  const methodsByPath = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsByPath.set(url, methods);
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done(isMisspelt(request) ? new NotFoundException() : undefined);
      return;
    }
    const methods = methodsAt(pathOf(request.url), methodsByPath);
    if (methods) reply.header('allow', [...methods, 'OPTIONS'].join(', '));
    if (methods && request.method === 'OPTIONS') void reply.code(204).send();
    else done(methods ? new MethodNotAllowedException() : new NotFoundException());
  });
}

/** The methods that routes with this path take; a segment like `:name` stands for any one. */
function methodsAt(
  path: string,
  methodsByPath: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> | undefined {
  const exact = methodsByPath.get(path);
  if (exact) return exact;
  const segments = path.split('/');
  const matching = [...methodsByPath].filter(([route]) => {
    const parts = route.split('/');
    const isMatch = (part: string, index: number): boolean =>
      part.startsWith(':') ? segments[index] !== '' : part === segments[index];
    return route.includes('/:') && parts.length === segments.length && parts.every(isMatch);
  });
  return matching.length > 0 ? new Set(matching.flatMap(([, methods]) => [...methods])) : undefined;
}

/** A proxy that keeps a path from clients compares it letter by letter: it lets `/metrics/` and `/%6detrics` through. */
const isMisspelt = ({ url, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.showsUse === true && url.split('?', 1)[0] !== routeOptions.url;

/** Without the query, and without the slash at the end that the router does not mind either. */
const pathOf = (url: string): string => {
  const path = url.split('?', 1)[0] ?? '';
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
};
