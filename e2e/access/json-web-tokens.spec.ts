import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AUDIENCE, Loci, TokenIssuer } from '@loci/testing';
import { Client } from '../harness/client.js';

const ORG = 'acme';

let issuer: TokenIssuer;
let loci: Loci;

beforeAll(async () => {
  issuer = await TokenIssuer.start();
  loci = await Loci.start({
    env: {
      AUTH: 'on',
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: AUDIENCE,
      OIDC_JWKS_URL: `${issuer.url}/jwks`,
    },
  });
  await loci.ready();
});

afterAll(async () => {
  await loci.destroy();
  await issuer.stop();
});

/** @param claims what is not as in a token that is fine */
async function bearing(claims: object = {}, project = { org_id: ORG, project_id: 'main' }): Promise<Client> {
  const token = await issuer.sign({ org_id: ORG, ...claims });
  return new Client(loci.url, project, { headers: { authorization: `Bearer ${token}` } });
}

const MESSAGES = { messages: [{ content: 'The ferry leaves at nine.' }] };
const QUERY = { query: 'When does the ferry leave?' };

test('a JWT reads and writes in its own organization, as its scopes say', async () => {
  const writer = await bearing({ scope: 'loci:write' });
  expect((await writer.post('/memories', MESSAGES)).status).toBe(200);
  const reader = await bearing({ scope: 'read' });
  expect(JSON.stringify((await reader.post('/memories/search', QUERY)).body)).toContain('The ferry leaves');
  expect((await reader.post('/memories', MESSAGES)).status).toBe(403);
  expect((await (await bearing({ scope: 'openid' })).post('/memories/search', QUERY)).status).toBe(403);
});

test('a JWT of another organization does not reach it', async () => {
  const stranger = await bearing({ org_id: 'globex' });
  const { status, body } = await stranger.post('/memories/search', QUERY);
  expect({ status, text: JSON.stringify(body) }).toMatchObject({
    status: 404,
    text: expect.not.stringContaining('ferry'),
  });
});

test('an `admin` that is meant for another service administers nothing', async () => {
  const scratch = { org_id: ORG, project_id: 'scratch' };
  expect((await (await bearing({}, scratch)).post('/memories', MESSAGES)).status).toBe(200);
  const others = await bearing({ scope: 'admin read write' }, scratch);
  expect((await others.post('/projects/delete', {})).status).toBe(403);
  const ours = await bearing({ scope: 'loci:admin' }, scratch);
  expect((await ours.post('/projects/delete', {})).status).toBe(204);
});

test.each([
  ['expired', { exp: 1 }],
  ['of another issuer', { iss: 'https://elsewhere.example' }],
  ['for another audience', { aud: 'billing' }],
])('a JWT that is %s is refused', async (_, claims) => {
  expect((await (await bearing(claims)).post('/memories/search', QUERY)).status).toBe(401);
});
