import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type GatewayEnv } from '../env.js';

/** RFC 9728: the well-known path, in front of that of the resource. */
export const METADATA_PATH = '.well-known/oauth-protected-resource/mcp';

/** What OAuth clients have to know of `/mcp`. */
export interface ProtectedResource {
  readonly resource: string;
  readonly resource_name: string;
  readonly authorization_servers: readonly [issuer: string];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
}

type Settings = Pick<GatewayEnv, 'OIDC_ISSUER' | 'OIDC_READ_SCOPES' | 'OIDC_WRITE_SCOPES' | 'PUBLIC_URL'>;
type Named = Pick<FastifyRequest, 'protocol' | 'host'>;

/** @returns undefined where no issuer is set, or the request names no host that it could be reached by */
export function metadataOf(request: Named, env: Settings): ProtectedResource | undefined {
  const origin = originOf(request, env);
  if (env.OIDC_ISSUER === '' || origin === undefined) return undefined;
  return {
    resource: `${origin}/mcp`,
    resource_name: 'Loci',
    authorization_servers: [env.OIDC_ISSUER],
    scopes_supported: [env.OIDC_READ_SCOPES, env.OIDC_WRITE_SCOPES].flatMap(preferredName),
    bearer_methods_supported: ['header'],
  };
}

/** Tells MCP clients that come without a valid token where they learn who gives out tokens. */
export function pointToMetadata(server: FastifyInstance, env: Settings): void {
  if (env.OIDC_ISSUER === '') return;
  server.addHook('onSend', (request, reply, _payload, done) => {
    const origin = originOf(request, env);
    if (reply.statusCode === 401 && request.routeOptions.url === '/mcp' && origin !== undefined) {
      reply.header('www-authenticate', `Bearer resource_metadata="${origin}/${METADATA_PATH}"`);
    }
    done();
  });
}

/** Parsed: what a client writes into its `Host` ends up in a header and in JSON. */
function originOf({ protocol, host }: Named, { PUBLIC_URL }: Settings): string | undefined {
  const url = PUBLIC_URL === '' ? `${protocol}://${host}` : PUBLIC_URL;
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** The last of the names that mean a scope: the first ones are those that other services use, too. */
const preferredName = (names: string): string[] =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(-1);
