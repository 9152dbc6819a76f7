import { EventListener, RpcClient } from '@loci/messaging';
import { Metrics } from '@loci/platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { type GatewayEnv } from '../env.js';
import { ApiKeyVerifier } from './api-key-verifier.js';
import { FailedCallers } from './failed-callers.js';
import { OidcVerifier } from './oidc-verifier.js';
import { Sessions } from './sessions.js';
import { StaticTokens } from './static-tokens.js';
import { TagKey } from './tag-key.js';
import { AnyOf, TokenVerifier } from './token-verifier.js';

/** Who callers are. Needs a global RpcClient, EventListener and Metrics. */
@Module({})
export class AccessModule {
  static forRoot(env: GatewayEnv): DynamicModule {
    return {
      module: AccessModule,
      providers: [
        { provide: FailedCallers, useValue: new FailedCallers(env.AUTH_FAILURES_PER_MINUTE) },
        {
          provide: Sessions,
          inject: [RpcClient],
          useFactory: (rpc: RpcClient) => new Sessions(new TagKey(rpc), env.SESSION_HOURS, env.PUBLIC_URL),
        },
        {
          provide: TokenVerifier,
          inject: [RpcClient, EventListener, FailedCallers, Metrics],
          useFactory: (rpc: RpcClient, events: EventListener, failed: FailedCallers, metrics: Metrics) =>
            new AnyOf([
              new StaticTokens(env.HOSTED_TOKENS, env.LOCI_ADMIN_KEY),
              new ApiKeyVerifier(rpc, events, failed, metrics),
              ...(env.OIDC_ISSUER === '' ? [] : [new OidcVerifier(env)]),
            ]),
        },
      ],
      exports: [TokenVerifier, FailedCallers, Sessions],
    };
  }
}
