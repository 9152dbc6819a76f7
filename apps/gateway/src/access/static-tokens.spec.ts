import { expect, test } from '@jest/globals';
import { EnvError } from '@loci/platform';
import { StaticTokens } from './static-tokens.js';

const ABC = 'abcdefghijklmnopqrstuvwxyz';
const S3CRET = 's3cr=t-0123456789abcdef==';

test.each(['x', 'short-token', 'a'.repeat(40), 'abc'.repeat(20), `${ABC} ${ABC}`, 'ä'.repeat(30)])(
  'the hosted token %j can be guessed, and is refused unshown',
  (token) => {
    const start = () => new StaticTokens(`${ABC}=acme,${token}=globex`);
    expect(start).toThrow(/^HOSTED_TOKENS: the token of entry 2 can be guessed; it needs at least 22 /);
  },
);

test('knows the organization, and the project if there is one, of each token', async () => {
  const tokens = new StaticTokens(`${ABC}=acme, ${S3CRET}=globex/apollo ,`);
  expect(await tokens.verify(ABC)).toMatchObject({ scopes: ['read', 'write'], bounds: { orgId: 'acme' } });
  expect(await tokens.verify(S3CRET)).toMatchObject({
    bounds: { orgId: 'globex', projectId: 'apollo' },
  });
  expect(await tokens.verify(ABC.toUpperCase())).toBeUndefined();
  expect(await tokens.verify('')).toBeUndefined();
});

test('without tokens knows no caller', async () => {
  expect(await new StaticTokens('').verify('')).toBeUndefined();
});

test.each([
  'secret',
  'secret=',
  '=acme',
  'secret=acme/',
  'secret=acme/p/q',
  'secret=a b',
  `${ABC}=y,secret=a.b`,
])('%j is refused without showing the token', (setting) => {
  let message = '';
  try {
    new StaticTokens(setting);
  } catch (error) {
    if (error instanceof EnvError) ({ message } = error);
  }
  expect(message).toMatch(/^HOSTED_TOKENS: entry [12] is not/);
  expect(message).not.toContain('secret');
});

test('the admin key may do everything, and nothing that only resembles it may do anything', async () => {
  const key = `${ABC}-admin`;
  const tokens = new StaticTokens(`${ABC}=acme`, key);
  expect(await tokens.verify(key)).toMatchObject({ scopes: ['admin'], bounds: {} });
  expect(await tokens.verify(`${key}k`)).toBeUndefined();
  expect(await tokens.verify(key.slice(1))).toBeUndefined();
});

test.each(['short', ABC, 'k'.repeat(40), 'abc'.repeat(20), `${ABC}-admin `])(
  'the admin key %j is refused unshown',
  (key) => {
    expect(() => new StaticTokens('', key)).toThrow(/^LOCI_ADMIN_KEY must be at least 32 /);
  },
);

test('a token is that of one tenant alone, and not the admin key', () => {
  expect(() => new StaticTokens(`${ABC}=acme,${S3CRET}=acme,${ABC}=globex`)).toThrow(
    'HOSTED_TOKENS 1 and HOSTED_TOKENS 3 have the same token; give each its own.',
  );
  const key = `${ABC}-admin`;
  expect(() => new StaticTokens(`${key}=acme`, key)).toThrow(/^HOSTED_TOKENS 1 and LOCI_ADMIN_KEY have/);
});

test('keeps no token', () => {
  const kept = JSON.stringify(new StaticTokens(`s3cret${ABC}=acme`, `adm1n-${ABC}`));
  expect(kept).not.toMatch(/s3cret|adm1n/);
});
