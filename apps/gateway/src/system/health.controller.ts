import { VERSION } from '@loci/platform';
import { Controller, Get, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply } from 'fastify';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { type HealthAnswer, healthAnswer, type UnhealthyAnswer } from './health.wire.js';
import { ServicesHealth } from './services-health.js';

/** Whether Loci as a whole works (api-contract §0 row 26). */
@Tagged('System')
@Controller(['', 'api/v2', 'v2'])
export class HealthController {
  constructor(private readonly services: ServicesHealth) {}

  @Get('health')
  @RouteConfig({ isOperational: true })
  @Documented({
    name: 'health_check',
    summary: 'Whether Loci as a whole works.',
    answer: healthAnswer,
    errors: ['service_unavailable'],
  })
  async check(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthAnswer | UnhealthyAnswer> {
    const failing = await this.services.failing();
    const about = { service: 'loci', version: VERSION } as const;
    if (failing.length === 0) return { status: 'healthy', ...about };
    void reply.code(503).header('retry-after', '1');
    return {
      status: 'unhealthy',
      ...about,
      detail: `Not ready: ${failing.join('; ')}. Try again in a second.`,
      code: 'service_unavailable',
    };
  }
}
