import { organizationAccess } from '@loci/contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type Caller } from './caller.js';
import { isHosted } from './hosted.js';

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

/** On whose behalf the request comes. Only for routes with `Access`. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = requestOf(context);
  if (!caller) throw new Error('An operational route has no caller.');
  return caller;
});

/** What the caller may do with what belongs to its organization as a whole. Only for routes with `Access`. */
export const OrganizationRights = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { caller } = requestOf(context);
  if (!caller) throw new Error('An operational route has no caller.');
  return organizationAccess(caller);
});

/** Whether the request is for the hosted form. */
export const IsHosted = createParamDecorator((_: unknown, context: ExecutionContext): boolean =>
  isHosted(requestOf(context)),
);
