import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type Caller } from './token-verifier.js';

/** Whom a hosted call acts for; undefined under the self-hosted prefix. */
export const HostedCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller | undefined =>
    context.switchToHttp().getRequest<FastifyRequest>().caller,
);
