import { expect, test } from '@jest/globals';
import { EnvError } from '@loci/platform';
import { StaticTokens } from './static-tokens.js';

test('knows the organization, and the project if there is one, of each token', async () => {
  const tokens = new StaticTokens('abc=acme, s3cr=t===globex/apollo ,');
  expect(await tokens.verify('abc')).toMatchObject({ scopes: ['read', 'write'], bounds: { orgId: 'acme' } });
  expect(await tokens.verify('s3cr=t==')).toMatchObject({
    bounds: { orgId: 'globex', projectId: 'apollo' },
  });
  expect(await tokens.verify('ABC')).toBeUndefined();
  expect(await tokens.verify('')).toBeUndefined();
});

test('without tokens knows nobody', async () => {
  expect(await new StaticTokens('').verify('')).toBeUndefined();
});

test.each(['secret', 'secret=', '=acme', 'secret=acme/', 'secret=acme/p/q', 'secret=a b', 'x=y,secret=a.b'])(
  '%j is refused without showing the token',
  (setting) => {
    let message = '';
    try {
      new StaticTokens(setting);
    } catch (error) {
      if (error instanceof EnvError) ({ message } = error);
    }
    expect(message).toMatch(/^HOSTED_TOKENS: entry [12] is not/);
    expect(message).not.toContain('secret');
  },
);

test('the admin key may do everything, and nothing that only resembles it may do anything', async () => {
  const key = 'k'.repeat(32);
  const tokens = new StaticTokens('abc=acme', key);
  expect(await tokens.verify(key)).toMatchObject({ scopes: ['admin'], bounds: {} });
  expect(await tokens.verify(`${key}k`)).toBeUndefined();
  expect(await tokens.verify(key.slice(1))).toBeUndefined();
});

test.each(['short', 'k'.repeat(31), `${'k'.repeat(32)} `])('the admin key %j is refused unshown', (key) => {
  expect(() => new StaticTokens('', key)).toThrow(/^LOCI_ADMIN_KEY must be at least 32 /);
});

test('keeps no token', () => {
  const kept = JSON.stringify(new StaticTokens('s3cret=acme', 'adm1n'.repeat(8)));
  expect(kept).not.toMatch(/s3cret|adm1n/);
});
