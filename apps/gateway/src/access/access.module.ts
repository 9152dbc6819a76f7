import { EventListener, RpcClient } from '@loci/messaging';
import { type DynamicModule, Module } from '@nestjs/common';
import { type GatewayEnv } from '../env.js';
import { ApiKeyVerifier } from './api-key-verifier.js';
import { OidcVerifier } from './oidc-verifier.js';
import { StaticTokens } from './static-tokens.js';
import { AnyOf, TokenVerifier } from './token-verifier.js';

/** Who callers are. Needs a global RpcClient and EventListener. */
@Module({})
export class AccessModule {
  static forRoot(env: GatewayEnv): DynamicModule {
    return {
      module: AccessModule,
      providers: [
        {
          provide: TokenVerifier,
          inject: [RpcClient, EventListener],
          useFactory: (rpc: RpcClient, events: EventListener) =>
            new AnyOf([
              new StaticTokens(env.HOSTED_TOKENS, env.LOCI_ADMIN_KEY),
              new ApiKeyVerifier(rpc, events),
              ...(env.OIDC_ISSUER === '' ? [] : [new OidcVerifier(env)]),
            ]),
        },
      ],
      exports: [TokenVerifier],
    };
  }
}
