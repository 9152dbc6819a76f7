import { type AccessScope } from '@loci/contracts';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyContextConfig } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a caller needs to be allowed. */
    access?: AccessScope;
    /**
     * Where a request names its tenant. Default `fields`: `org_id` and `project_id`, in the query of a GET or DELETE,
     * otherwise in the body. `query`: in the query. `caller`: it names none, and the handler keeps within the bounds of
     * its caller. `deployment`: it is about
     * every tenant, so a caller who is bound to some is refused.
     */
    tenantFrom?: 'fields' | 'query' | 'caller' | 'deployment';
  }
}

/** Declares what a route demands of its callers. Every route has either this or `isOperational`; one without fails at start. */
export const Access = (
  access: AccessScope,
  config: Pick<FastifyContextConfig, 'tenantFrom' | 'ignoresBody' | 'takesLines'> = {},
): MethodDecorator => RouteConfig({ ...config, access });
