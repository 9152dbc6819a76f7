import { notFound } from '@loci/contracts';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Hidden } from '../docs/documented.decorator.js';
import { GatewayEnv } from '../env.js';
import { metadataOf, METADATA_PATH, type ProtectedResource } from './protected-resource.js';

/** Where MCP clients learn who gives out tokens (RFC 9728). */
@Controller(METADATA_PATH)
export class ProtectedResourceController {
  constructor(private readonly env: GatewayEnv) {}

  @Get()
  @RouteConfig({ isOperational: true })
  @Hidden()
  get(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): ProtectedResource {
    const metadata = metadataOf(request, this.env);
    if (!metadata) throw notFound('route_not_found', 'No token issuer is set (OIDC_ISSUER); use an API key.');
    void reply.header('cache-control', 'no-store');
    return metadata;
  }
}
