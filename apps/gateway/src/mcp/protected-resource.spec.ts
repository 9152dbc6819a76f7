import { afterEach, expect, test } from '@jest/globals';
import { discoverOAuthProtectedResourceMetadata } from '@modelcontextprotocol/sdk/client/auth.js';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';

const PATH = '/.well-known/oauth-protected-resource/mcp';
const OIDC = {
  AUTH: 'on',
  OIDC_ISSUER: 'https://id.example.com/',
  OIDC_AUDIENCE: 'loci',
  OIDC_JWKS_URL: 'https://id.example.com/keys',
};

let gateway: TestGateway;

afterEach(() => gateway.app.close());

test('a client of the SDK learns from a refusal who gives out tokens', async () => {
  gateway = await startTestGateway(OIDC);
  await gateway.app.listen(0, '127.0.0.1');
  const url = await gateway.app.getUrl();
  const refused = await fetch(`${url}/mcp`, { method: 'POST' });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${url}${PATH}"`);
  expect(await discoverOAuthProtectedResourceMetadata(`${url}/mcp`)).toEqual({
    resource: `${url}/mcp`,
    resource_name: 'Loci',
    authorization_servers: ['https://id.example.com/'],
    scopes_supported: ['loci:read', 'loci:write'],
    bearer_methods_supported: ['header'],
  });
});

test('the URL by which clients know the deployment goes before what the request says', async () => {
  gateway = await startTestGateway({ ...OIDC, PUBLIC_URL: 'https://memory.example.com' });
  const answer = await post(gateway, '/mcp', {});
  expect(answer.headers['www-authenticate']).toBe(
    `Bearer resource_metadata="https://memory.example.com${PATH}"`,
  );
  const { body } = await gateway.app.inject({ url: PATH, headers: { host: 'evil.example' } });
  expect(JSON.parse(body)).toMatchObject({ resource: 'https://memory.example.com/mcp' });
});

test('what a client writes into its host is a host, or nothing', async () => {
  gateway = await startTestGateway(OIDC);
  const headers = { host: 'x", realm="y' };
  const answer = await gateway.app.inject({ method: 'POST', url: '/mcp', headers, payload: {} });
  expect(answer.headers['www-authenticate']).not.toContain('realm');
});

test('without an issuer there is no metadata, and routes besides /mcp name none', async () => {
  gateway = await startTestGateway({ AUTH: 'on' });
  const missing = await gateway.app.inject({ url: PATH });
  expect([missing.statusCode, missing.json()]).toMatchObject([404, { code: 'route_not_found' }]);
  expect((await post(gateway, '/mcp', {})).headers['www-authenticate']).toBe('Bearer');
  await gateway.app.close();
  gateway = await startTestGateway(OIDC);
  const other = await post(gateway, '/api/v2/memories', {});
  expect(other.headers['www-authenticate']).toBe('Bearer');
});
