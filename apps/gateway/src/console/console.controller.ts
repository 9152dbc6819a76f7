import { Controller, Get, Headers, Param, Redirect, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply } from 'fastify';
import { Hidden } from '../docs/documented.decorator.js';
import { ConsoleFiles } from './console-files.js';

/** What the page may do: load and ask its own origin, be shown in no frame, and make no markup of text. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const GUARDED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

const FOREVER = 'public, max-age=31536000, immutable';

/** The web page on which people look at their agents' memory. It asks the public API, as any client does. */
@Controller()
export class ConsoleController {
  constructor(private readonly files: ConsoleFiles) {}

  @Get()
  @RouteConfig({ isOperational: true })
  @Hidden()
  @Redirect('/console')
  root(): void {
    // the decorator answers
  }

  @Get('console/assets/:name')
  @RouteConfig({ isOperational: true })
  @Hidden()
  async asset(
    @Param('name') name: string,
    @Headers('accept-encoding') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const { type, bytes, gzipped } = await this.files.asset(name);
    const isZipped = /\bgzip\b/.test(accepted ?? '');
    void reply
      .type(type)
      .headers({ ...GUARDED, 'cache-control': FOREVER, vary: 'accept-encoding' })
      .headers(isZipped ? { 'content-encoding': 'gzip' } : {});
    return isZipped ? gzipped : bytes;
  }

  /** Every view has an address of its own; the page finds out which one it is to show. */
  @Get(['console', 'console/*'])
  @RouteConfig({ isOperational: true })
  @Hidden()
  async page(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { html, nonce } = await this.files.index();
    void reply
      .type('text/html; charset=utf-8')
      .headers({ ...GUARDED, 'content-security-policy': policy(nonce), 'cache-control': 'no-store' });
    return html;
  }
}
