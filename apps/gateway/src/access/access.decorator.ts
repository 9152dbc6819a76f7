import { type AccessScope } from '@loci/contracts';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyContextConfig } from 'fastify';

/** What a path names by an id that does not say whose it is. */
export type NamedThing = 'api-key' | 'webhook';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a caller needs to be allowed. */
    access?: AccessScope;
    /**
     * Where a request names its tenant. Default `fields`: `org_id` and `project_id`, in the query of a GET or DELETE,
     * otherwise in the body. `query`: in the query. `caller`: it names none, and the handler keeps within the bounds of
     * its caller. `organization`: as `caller`, for callers who are bound to no project. `deployment`: it is about
     * every tenant, so a caller who is bound to some is refused.
     */
    tenantFrom?: 'fields' | 'query' | 'caller' | 'organization' | 'deployment';
    /** What the route does to things of the organization as a whole, if it is about one. Changing takes `admin`. */
    organization?: 'read' | 'change';
    /**
     * Whether it deletes or replaces something. Under the hosted prefix such a request is refused when its body names
     * another organization or project than its token does; elsewhere the body is overruled.
     */
    replaces?: boolean;
    /** Whether its answer shows what is stored: it needs the scope `read`, too, which `write` does not include. */
    reveals?: boolean;
    /** What the `id` in its path is the id of, where that alone says whose it is: the audit notes it as about that level. */
    thing?: NamedThing;
  }
}

type Further =
  | 'tenantFrom'
  | 'organization'
  | 'replaces'
  | 'reveals'
  | 'thing'
  | 'ignoresBody'
  | 'takesLines'
  | 'isEndless';

/**
 * Declares what a route demands of its callers: a row of the access table (docs/access.md). Every route has either this or
 * `isOperational`; one without fails at start.
 */
export const Access = (
  access: AccessScope,
  config: Pick<FastifyContextConfig, Further> = {},
): MethodDecorator => RouteConfig({ ...config, access });
