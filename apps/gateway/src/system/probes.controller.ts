import { HealthChecks } from '@loci/platform';
import { Controller, Get, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply } from 'fastify';

/** What an orchestrator asks this one process. */
@Controller('health')
export class ProbesController {
  constructor(private readonly health: HealthChecks) {}

  @Get('live')
  @RouteConfig({ isOperational: true })
  live(): object {
    return { status: 'alive' };
  }

  /** Ready while NATS is connected: the gateway needs nothing else to serve. */
  @Get('ready')
  @RouteConfig({ isOperational: true })
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
