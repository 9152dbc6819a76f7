import { type AccessScope } from '@loci/contracts';
import { type FastifyContextConfig } from 'fastify';
import { type NamedThing } from './access.decorator.js';

/**
 * What a route is about, and so whose keys reach it. `public`: no tenant's data, open to all. `project`: the project that the
 * request names; keys of that project, of its organization, or of the deployment. `own`: what lies within the bounds of
 * the key itself. `organization`: the organization that the request names, as a whole; keys of that organization, or of the
 * deployment, that are bound to no project. `deployment`: all tenants; keys that are bound to none.
 */
export type AccessLevel = 'public' | 'project' | 'own' | 'organization' | 'deployment';

/** What one route or tool demands of its callers. */
export interface AccessRule {
  /** Undefined where no authentication is required. */
  readonly scope: AccessScope | undefined;
  readonly level: AccessLevel;
  /**
   * What it does to things of the organization as a whole. They exist for keys that are bound to no project; changing
   * them takes the scope `admin`.
   */
  readonly organization: 'read' | 'change' | undefined;
  /** Whether it deletes or replaces something: see `FastifyContextConfig`. */
  readonly replaces: boolean;
  /** Whether it needs the scope `read` besides: see `FastifyContextConfig`. */
  readonly reveals: boolean;
  /** What its path has the id of: see `FastifyContextConfig`. */
  readonly thing: NamedThing | undefined;
}

export interface AccessRow extends AccessRule {
  readonly method: string;
  readonly url: string;
}

const LEVELS: Readonly<Record<NonNullable<FastifyContextConfig['tenantFrom']>, AccessLevel>> = {
  fields: 'project',
  query: 'project',
  caller: 'own',
  organization: 'organization',
  deployment: 'deployment',
};

/** The rule that a route declares with `@Access`. */
export const ruleOf = (config: FastifyContextConfig): AccessRule => ({
  scope: config.access,
  level: config.access === undefined ? 'public' : LEVELS[config.tenantFrom ?? 'fields'],
  organization: config.organization,
  replaces: config.replaces ?? false,
  reveals: config.reveals ?? false,
  thing: config.thing,
});
