import { Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { identify } from '../access/access-guard.js';
import { bearerToken } from '../access/bearer-token.js';
import { ANYONE, type Caller } from '../access/caller.js';
import { FailedCallers } from '../access/failed-callers.js';
import { type Session, Sessions } from '../access/sessions.js';
import { TokenVerifier } from '../access/token-verifier.js';
import { Hidden } from '../docs/documented.decorator.js';
import { GatewayEnv } from '../env.js';

/** Who looks at the console, and what they may do. */
export interface SessionAnswer {
  /** Whether callers have to say who they are. */
  readonly authentication: boolean;
  readonly kind: Caller['kind'];
  readonly id: string;
  readonly name: string | null;
  readonly scopes: readonly string[];
  readonly org_id: string | null;
  readonly project_id: string | null;
  readonly producer: string | null;
  /** When the session ends, in UTC; null without one. */
  readonly expires_at: string | null;
}

/** Exchanges a key for a session of the browser that the console runs in. */
@Controller('console/session')
export class SessionController {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly failed: FailedCallers,
    private readonly sessions: Sessions,
    private readonly env: GatewayEnv,
  ) {}

  /** @throws AppError `unauthenticated`, `rate_limit_exceeded`, `invalid_request` */
  @Post()
  @HttpCode(200)
  @RouteConfig({ isOperational: true })
  @Hidden()
  async open(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const caller = await this.callerOf(request);
    const token = bearerToken(request.raw);
    if (!this.env.isAuthRequired || token === undefined) return this.answer(caller, undefined);
    return this.answer(caller, await this.sessions.open(request, reply, token, caller.endsAtMs));
  }

  /** @throws AppError `unauthenticated` without a session, or when its key was revoked */
  @Get()
  @RouteConfig({ isOperational: true })
  @Hidden()
  async show(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    void reply.header('cache-control', 'no-store');
    return this.answer(await this.callerOf(request), await this.sessions.find(request));
  }

  /** Needs no session: the caller has none afterwards. */
  @Delete()
  @HttpCode(204)
  @RouteConfig({ isOperational: true })
  @Hidden()
  close(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): void {
    this.sessions.close(request, reply);
  }

  private callerOf(request: FastifyRequest): Promise<Caller> {
    if (!this.env.isAuthRequired) return Promise.resolve(ANYONE);
    const { tokens, failed, sessions } = this;
    return identify(request, { tokens, failed, sessions });
  }

  private answer(caller: Caller, session: Session | undefined): SessionAnswer {
    const { kind, id, name, scopes, bounds, producer, endsAtMs = Infinity } = caller;
    return {
      authentication: this.env.isAuthRequired,
      kind,
      id,
      name: name ?? null,
      scopes,
      org_id: bounds.orgId ?? null,
      project_id: bounds.projectId ?? null,
      producer: producer ?? null,
      expires_at: session ? new Date(Math.min(session.expiresAt, endsAtMs)).toISOString() : null,
    };
  }
}
