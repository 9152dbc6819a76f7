import { HealthChecks } from '@loci/platform';
import { described } from '@loci/platform/schema';
import { Controller, Get, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Documented, Tagged } from '../docs/documented.decorator.js';

/** What an orchestrator asks this one process. */
@Tagged('System')
@Controller('health')
export class ProbesController {
  constructor(private readonly health: HealthChecks) {}

  @Get('live')
  @RouteConfig({ isOperational: true })
  @Documented({
    name: 'liveness',
    summary: 'Whether this process runs.',
    answer: Type.Object({
      status: described(
        Type.Literal('alive'),
        'Always the same word; a process that is not well answers otherwise or not at all.',
      ),
    }),
  })
  live(): object {
    return { status: 'alive' };
  }

  /** Ready while NATS is connected: the gateway needs nothing else to serve. */
  @Get('ready')
  @RouteConfig({ isOperational: true })
  @Documented({
    name: 'readiness',
    summary: 'Whether this process can serve: it needs NATS, and nothing else.',
    answer: Type.Object({
      status: described(
        Type.Literal('ready'),
        'Always the same word; a process that is not well answers otherwise or not at all.',
      ),
    }),
    errors: ['service_unavailable'],
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const failing = await this.health.failing();
    if (failing.length === 0) return { status: 'ready' };
    void reply.code(503).header('retry-after', '1');
    return {
      status: 'not ready',
      failing,
      detail: `Not ready: ${failing.join(', ')}. Try again in a second.`,
      code: 'service_unavailable',
    };
  }
}
