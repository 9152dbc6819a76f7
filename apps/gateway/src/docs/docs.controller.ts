import { described } from '@loci/platform/schema';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { GatewayEnv } from '../env.js';
import { StaticFiles } from '../http/static-files.js';
import { Documented, Hidden, Tagged } from './documented.decorator.js';
import { openApiDocument } from './openapi-document.js';
import { DOCS_PAGE, DOCS_SCRIPT } from './docs-page.js';

/** Found, not imported: the package would load its bundles, which are for browsers. */
const SWAGGER_UI = new StaticFiles(
  dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
  (bytes) => bytes,
);

/** What the page loads besides the document; nothing else of the package is served. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const ONLY_OUR_OWN = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/** The API document, and a page that shows it. */
@Tagged('System')
@Controller()
export class DocsController {
  private document: Buffer | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly env: GatewayEnv,
  ) {}

  @Get('openapi.json')
  @RouteConfig({ isOperational: true })
  @Documented({
    name: 'openapi',
    summary: 'This document.',
    answer: Type.Object(
      {
        openapi: described(Type.Literal('3.1.0'), 'Version of OpenAPI.'),
        paths: described(Type.Object({}), 'The operations, by path.'),
      },
      { additionalProperties: true },
    ),
  })
  openapi(@Res({ passthrough: true }) reply: FastifyReply): Buffer {
    void reply.type('application/json; charset=utf-8');
    return (this.document ??= Buffer.from(JSON.stringify(this.describe())));
  }

  private describe(): object {
    const controllers = this.discovery.getControllers().flatMap(({ metatype }) => metatype ?? []);
    return openApiDocument(controllers, this.env);
  }

  @Get('docs')
  @RouteConfig({ isOperational: true })
  @Hidden()
  page(@Res({ passthrough: true }) reply: FastifyReply): string {
    void reply.type('text/html; charset=utf-8').header('content-security-policy', ONLY_OUR_OWN);
    return DOCS_PAGE;
  }

  @Get('docs/start.js')
  @RouteConfig({ isOperational: true })
  @Hidden()
  script(@Res({ passthrough: true }) reply: FastifyReply): string {
    void reply.type('text/javascript; charset=utf-8');
    return DOCS_SCRIPT;
  }

  @Get('docs/:asset')
  @RouteConfig({ isOperational: true })
  @Hidden()
  asset(@Param('asset') name: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (type === undefined) throw new NotFoundException();
    void reply.type(type).header('cache-control', 'public, max-age=86400');
    return SWAGGER_UI.read(name);
  }
}
