import { Metrics } from '@loci/platform';
import { Controller, Get, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Documented, Tagged } from '../docs/documented.decorator.js';

/** The metrics of this process in the Prometheus text format. */
@Tagged('System')
@Controller(['', 'api/v2', 'v2'])
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get('metrics')
  @RouteConfig({ isOperational: true, showsUse: true })
  @Documented({
    name: 'metrics',
    summary: 'The metrics of this process in the Prometheus text format.',
    answer: Type.String(),
    media: 'text/plain',
  })
  render(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.type(this.metrics.contentType);
    return this.metrics.render();
  }
}
