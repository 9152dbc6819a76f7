import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { EnvError, loadEnv } from '@loci/platform';
import { AUDIENCE, eventually, TokenIssuer } from '@loci/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { GatewayEnv } from '../env.js';
import { OidcVerifier } from './oidc-verifier.js';

let issuer: TokenIssuer;

beforeEach(async () => {
  issuer = await TokenIssuer.start();
});

afterEach(() => issuer.stop());

const verifier = (settings: Record<string, string> = {}): OidcVerifier =>
  new OidcVerifier(
    loadEnv(GatewayEnv, {
      NATS_URL: 'nats://unused:4222',
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: AUDIENCE,
      OIDC_JWKS_URL: `${issuer.url}/jwks`,
      ...settings,
    }),
  );

const now = (): number => Math.floor(Date.now() / 1000);

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token of the issuer', () => {
  test('says who its user is, where they belong, and what they may do', async () => {
    expect(await verifier().verify(await issuer.sign())).toEqual({
      kind: 'user',
      id: 'ada',
      scopes: ['read', 'write'],
      bounds: { orgId: 'acme' },
      endsAtMs: expect.any(Number),
    });
  });

  test('may say it in other claims, with the scopes as a list', async () => {
    const settings = {
      OIDC_ORG_CLAIM: 'tenant',
      OIDC_PROJECT_CLAIM: 'app',
      OIDC_SCOPES_CLAIM: 'roles',
      OIDC_ADMIN_SCOPES: 'admin',
    };
    const token = await issuer.sign({ tenant: 'globex', app: 'apollo', roles: ['admin', 'cook', 7] });
    expect(await verifier(settings).verify(token)).toMatchObject({
      scopes: ['admin'],
      bounds: { orgId: 'globex', projectId: 'apollo' },
    });
  });

  test('without a scope of ours allows nothing', async () => {
    expect(await verifier().verify(await issuer.sign({ scope: undefined }))).toMatchObject({ scopes: [] });
    expect(await verifier().verify(await issuer.sign({ scope: 'reader administrator' }))).toMatchObject({
      scopes: [],
    });
  });

  test('administers only by a scope that is meant for us, or that the deployment names', async () => {
    const scopesOf = async (scope: string, settings = {}) =>
      (await verifier(settings).verify(await issuer.sign({ scope })))?.scopes;
    expect(await scopesOf('admin read')).toEqual(['read']);
    expect(await scopesOf('loci:admin')).toEqual(['admin']);
    const mapped = { OIDC_ADMIN_SCOPES: 'realm-admin, superuser', OIDC_READ_SCOPES: 'reader' };
    expect(await scopesOf('superuser read', mapped)).toEqual(['admin']);
    expect(await scopesOf('loci:admin', mapped)).toEqual([]);
  });

  test('may be off by as much as clocks may be apart', async () => {
    const token = await issuer.sign({ exp: now() - 10, nbf: now() - 60 });
    expect(await verifier().verify(token)).toBeDefined();
    expect(await verifier({ OIDC_CLOCK_TOLERANCE_SECONDS: '5' }).verify(token)).toBeUndefined();
  });

  test('is known by a key that the issuer published only now', async () => {
    const known = verifier();
    await issuer.addKey('second');
    expect(await known.verify(await issuer.sign({}, 'second'))).toBeDefined();
  });
});

describe('no caller is known by', () => {
  test.each([
    ['an expired token', { exp: now() - 3600 }],
    ['one that is not valid yet', { nbf: now() + 3600 }],
    ['one that never expires', { exp: undefined }],
    ['one for another service', { aud: 'another-service' }],
    ['one without audience', { aud: undefined }],
    ['one of another issuer', { iss: 'https://evil.example' }],
    ['one of an unnamed issuer', { iss: undefined }],
    ['one of no user', { sub: undefined }],
    ['one of a user without a name', { sub: '' }],
    ['one of a user whose name cannot be stored', { sub: 'a\0da' }],
    ['one of a user whose name is half a character', { sub: 'ada\ud800' }],
    ['one of a user that is a number', { sub: 5 }],
    ['one of a user that is true', { sub: true }],
    ['one of a user that is a list', { sub: ['ada'] }],
    ['one of a user that is an object', { sub: { replace: 'ada' } }],
    ['one of a user with an endless name', { sub: 'x'.repeat(256) }],
    ['one of an organization with an endless name', { org_id: 'x'.repeat(256) }],
    ['one of no organization', { org_id: undefined }],
    ['one of an organization that cannot be', { org_id: 'acme/x' }],
    ['one of a list of organizations', { org_id: ['acme', 'globex'] }],
    ['one of a project that cannot be', { project_id: '*' }],
  ])('%s', async (_, claims) => {
    expect(await verifier().verify(await issuer.sign(claims))).toBeUndefined();
  });

  test('one that is signed with a key that the issuer does not publish', async () => {
    await issuer.addKey('own', { isPublished: false });
    expect(await verifier().verify(await issuer.sign({}, 'own'))).toBeUndefined();
  });

  test('one that is not signed, or signed with the public key as a shared secret', async () => {
    const [, payload = ''] = (await issuer.sign()).split('.');
    const none = `${encode({ alg: 'none' })}.${payload}.x`;
    const head = `${encode({ alg: 'HS256', kid: 'first' })}.${payload}`;
    const secret = JSON.stringify(issuer.published[0]);
    const confused = `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
    expect(await verifier().verify(none)).toBeUndefined();
    expect(await verifier().verify(confused)).toBeUndefined();
  });

  test('one whose claims were changed', async () => {
    const [head = '', payload = '', signature = ''] = (await issuer.sign()).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const changed = `${head}.${encode({ ...claims, org_id: 'globex' })}.${signature}`;
    expect(await verifier().verify(changed)).toBeUndefined();
  });

  test.each(['', 'x', 'a.b', 'a.b.c', 'a.b.c.d', '..'])('%j', async (token) => {
    expect(await verifier().verify(token)).toBeUndefined();
  });
});

test('no caller is known by a key inside its token, or by an extension that we do not know', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const claims = {
    iss: issuer.url,
    aud: AUDIENCE,
    sub: 'ada',
    exp: now() + 300,
    org_id: 'acme',
    scope: 'read',
  };
  const jwk = await exportJWK(publicKey);
  for (const header of [{ jwk }, { jku: `${issuer.url}/own-keys` }, { kid: 'first', jwk }]) {
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(privateKey);
    expect(await verifier().verify(token)).toBeUndefined();
  }
  const [, payload = '', signature = ''] = (await issuer.sign()).split('.');
  const critical = encode({ alg: 'ES256', kid: 'first', crit: ['x'], x: 1 });
  expect(await verifier().verify(`${critical}.${payload}.${signature}`)).toBeUndefined();
});

describe('the issuer is not asked for every token', () => {
  test('that names a key which it does not publish', async () => {
    const known = verifier();
    await issuer.addKey('own', { isPublished: false });
    for (let turn = 0; turn < 50; turn += 1) {
      const [, payload = '', signature = ''] = (await issuer.sign({}, 'own')).split('.');
      const token = `${encode({ alg: 'ES256', kid: `made-up-${turn}` })}.${payload}.${signature}`;
      expect(await known.verify(token)).toBeUndefined();
    }
    expect(issuer.asked).toBeLessThan(5);
  });

  test('while it does not answer', async () => {
    const known = verifier();
    const token = await issuer.sign();
    issuer.isDown = true;
    for (let turn = 0; turn < 50; turn += 1) {
      await expect(known.verify(token)).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    expect(issuer.asked).toBeLessThan(10);
    issuer.isDown = false;
    await eventually(() => known.verify(token).then(Boolean, () => false), { what: 'the keys are fetched' });
  });
});

describe('a signing key that the issuer withdraws', () => {
  const briefly = { OIDC_JWKS_MAX_AGE_SECONDS: '1' };

  test('counts no longer once the keys have come of age', async () => {
    const known = verifier(briefly);
    const token = await issuer.sign();
    expect(await known.verify(token)).toBeDefined();
    issuer.withdraw('first');
    await eventually(async () => (await known.verify(token)) === undefined, { what: 'the key is forgotten' });
  });

  test('counts on while newer keys cannot be fetched', async () => {
    const known = verifier(briefly);
    const token = await issuer.sign();
    expect(await known.verify(token)).toBeDefined();
    issuer.isDown = true;
    const before = issuer.asked;
    await eventually(() => known.verify(token).then(() => issuer.asked > before), { what: 'it was asked' });
    expect(await known.verify(token)).toBeDefined();
  });

  test('and replaces under the same name is noticed by a signature that does not fit', async () => {
    const known = verifier();
    const old = await issuer.sign();
    expect(await known.verify(old)).toBeDefined();
    await issuer.replaceKey('first');
    const later = Date.now() + 11_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    expect(await known.verify(await issuer.sign())).toBeDefined();
    expect(await known.verify(old)).toBeUndefined();
    clock.mockRestore();
  });

  test('is not looked for with every signature that does not fit', async () => {
    const known = verifier();
    const [head = '', payload = ''] = (await issuer.sign()).split('.');
    await issuer.addKey('other');
    const [, , signature = ''] = (await issuer.sign({}, 'other')).split('.');
    for (let turn = 0; turn < 50; turn += 1)
      expect(await known.verify(`${head}.${payload}.${signature}`)).toBeUndefined();
    expect(issuer.asked).toBe(1);
  });
});

test('an issuer that does not answer is an outage, not a wrong token', async () => {
  const token = await issuer.sign();
  issuer.isDown = true;
  await expect(verifier().verify(token)).rejects.toMatchObject({ code: 'service_unavailable' });
  const { url } = issuer;
  await expect(
    verifier({ OIDC_JWKS_URL: 'http://127.0.0.1:1/jwks', OIDC_ISSUER: url }).verify(token),
  ).rejects.toMatchObject({ code: 'service_unavailable' });
});

test.each(['rubbish', '"keys"', '{"keys":{}}'])(
  'an issuer that answers %s is an outage, and not asked for every token',
  async (rubbish) => {
    const known = verifier();
    const token = await issuer.sign();
    issuer.rubbish = rubbish;
    for (let turn = 0; turn < 50; turn += 1)
      await expect(known.verify(token)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(issuer.asked).toBeLessThan(10);
    issuer.rubbish = undefined;
    await eventually(() => known.verify(token).catch(() => undefined), { what: 'the keys are there' });
  },
);

test('one token waits for an issuer that hangs, not each', async () => {
  const known = verifier({ OIDC_JWKS_MAX_AGE_SECONDS: '1' });
  const token = await issuer.sign();
  expect(await known.verify(token)).toBeDefined();
  issuer.isHung = true;
  const before = issuer.asked;
  const taken = async (times: number): Promise<number> => {
    const begun = performance.now();
    for (let turn = 0; turn < times; turn += 1) expect(await known.verify(token)).toBeDefined();
    return performance.now() - begun;
  };
  let one = 0;
  const asks = async (): Promise<boolean> => {
    one = await taken(1);
    return issuer.asked > before;
  };
  await eventually(asks, { what: 'it was asked' });
  // each would have taken as long as the one that waited
  expect(await taken(5)).toBeLessThan(4 * one);
});

test('keys beyond a megabyte are not read to their end: an outage, too', async () => {
  const token = await issuer.sign();
  issuer.published.push({ kty: 'oct', kid: 'endless', k: 'x'.repeat(2 * 1024 * 1024) });
  await expect(verifier().verify(token)).rejects.toMatchObject({ code: 'service_unavailable' });
});

test.each([{ OIDC_AUDIENCE: '' }, { OIDC_JWKS_URL: '' }, { OIDC_JWKS_URL: 'keys' }])(
  '%j: half a configuration is refused at the start',
  (settings) => {
    expect(() => verifier(settings)).toThrow(EnvError);
  },
);
