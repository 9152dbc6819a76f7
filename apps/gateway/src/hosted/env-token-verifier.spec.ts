import { expect, test } from '@jest/globals';
import { EnvError } from '@loci/platform';
import { EnvTokenVerifier } from './env-token-verifier.js';

test('knows the organization, and the project if there is one, of each token', async () => {
  const tokens = new EnvTokenVerifier('abc=acme, s3cr=t===globex/apollo ,');
  expect(await tokens.verify('abc')).toEqual({ orgId: 'acme' });
  expect(await tokens.verify('s3cr=t==')).toEqual({ orgId: 'globex', projectId: 'apollo' });
  expect(await tokens.verify('ABC')).toBeUndefined();
  expect(await tokens.verify('')).toBeUndefined();
});

test('without tokens knows nobody', async () => {
  expect(await new EnvTokenVerifier('').verify('')).toBeUndefined();
});

test.each(['secret', 'secret=', '=acme', 'secret=acme/', 'secret=acme/p/q', 'secret=a b', 'x=y,secret=a.b'])(
  '%j is refused without showing the token',
  (setting) => {
    let message = '';
    try {
      new EnvTokenVerifier(setting);
    } catch (error) {
      if (error instanceof EnvError) ({ message } = error);
    }
    expect(message).toMatch(/^HOSTED_TOKENS: entry [12] is not/);
    expect(message).not.toContain('secret');
  },
);

test('keeps no token', () => {
  expect(JSON.stringify(new EnvTokenVerifier('s3cret=acme'))).not.toContain('s3cret');
});
