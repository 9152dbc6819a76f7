import { RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import { type FastifyContextConfig } from 'fastify';
import { type AccessRule, ruleOf } from '../access/access-table.js';
import { isHostedPath } from '../access/hosted.js';
import { type ControllerClass, argumentsOf } from '../wire/handler-arguments.js';
import { type RequestClass } from '../wire/schema/request.js';
import { documentationOf, isHidden, type RouteDocumentation, tagOf } from './documented.decorator.js';

/** A route as its controller and its handler declare it. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in OpenAPI: `/api/v2/config/resources/{name}`. */
  readonly path: string;
  readonly status: number;
  readonly body?: RequestClass;
  readonly query?: RequestClass;
  readonly takesIdempotencyKey: boolean;
  /** Takes no notice of its body, whatever it is. */
  readonly ignoresBody: boolean;
  /** Serves the operator: open to everybody. */
  readonly isOperational: boolean;
  /**
   * Whether it can be refused for naming a project that is not the caller's. Under the hosted prefix only what deletes or
   * replaces something is.
   */
  readonly namesTenant: boolean;
  /** What it demands of its callers. */
  readonly rule: AccessRule;
  readonly tag: string | undefined;
  /** Undefined when it is not documented. */
  readonly documentation: RouteDocumentation | undefined;
}

const METHODS: Partial<Record<RequestMethod, Route['method']>> = {
  [RequestMethod.GET]: 'get',
  [RequestMethod.POST]: 'post',
  [RequestMethod.PUT]: 'put',
  [RequestMethod.PATCH]: 'patch',
  [RequestMethod.DELETE]: 'delete',
};

/** Every route of these controllers that is part of the API, in the order of declaration. */
export const routesOf = (controllers: readonly ControllerClass[]): Route[] =>
  controllers.flatMap(routesOfController);

function routesOfController(controller: ControllerClass): Route[] {
  const prefixes = pathsOf(Reflect.getMetadata(PATH_METADATA, controller));
  const prototype = controller.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    if (typeof handler !== 'function' || isHidden(handler)) return [];
    const method = METHODS[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
    if (!method) return [];
    const config = configOf(handler);
    const { ignoresBody = false, isOperational = false } = config;
    const rule = ruleOf(config);
    const common = {
      method,
      status: statusOf(handler, method),
      ignoresBody,
      isOperational,
      rule,
      tag: tagOf(controller),
      documentation: documentationOf(handler),
      ...argumentsOf(controller, name),
    };
    return prefixes.flatMap((prefix) =>
      pathsOf(Reflect.getMetadata(PATH_METADATA, handler)).map((segments) => {
        const path = joined(prefix, segments);
        const namesTenant = rule.level === 'project' && (rule.replaces || !isHostedPath(path));
        return { ...common, path, namesTenant };
      }),
    );
  });
}

const configOf = (handler: object): FastifyContextConfig =>
  (Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) ?? {}) as FastifyContextConfig;

const pathsOf = (declared: unknown): string[] =>
  [declared].flat().map((path) => (typeof path === 'string' ? path : ''));

const joined = (...parts: readonly string[]): string =>
  `/${parts.flatMap((part) => part.split('/').filter(Boolean)).join('/')}`.replace(/:(\w+)/g, '{$1}');

const statusOf = (handler: object, method: Route['method']): number =>
  (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ?? (method === 'post' ? 201 : 200);
