import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { type ResourceDefinition } from '../resource-definition.js';
import { KeyRing } from './key-ring.js';
import { type Environment, forbiddenReference, isReference, resolveReferences } from './references.js';
import { maskConfig, resealConfig, sealConfig } from './seal-config.js';
import { isSealed, SecretBox } from './secret-box.js';

const key = (): string => randomBytes(32).toString('base64');
const [oldKey, newKey] = [key(), key()];
const boxOf = (text: string): SecretBox => new SecretBox(KeyRing.parse(text));
const context = { kind: 'embedder', name: 'mine', field: 'api_key' };

describe('a sealed secret', () => {
  const box = boxOf(`old:${oldKey}`);
  const sealed = box.seal('sk-ключ', context);

  test('can be opened, and does not show its content', () => {
    expect(box.open(sealed, context)).toBe('sk-ключ');
    expect(isSealed(sealed)).toBe(true);
    expect(Buffer.from(sealed.split(':').at(-1) ?? '', 'base64url').toString()).not.toContain('ключ');
  });

  test('is another text each time', () => {
    expect(box.seal('sk-ключ', context)).not.toBe(sealed);
  });

  test.each([
    ['kind', { ...context, kind: 'reranker' }],
    ['name', { ...context, name: 'other' }],
    ['field', { ...context, field: 'cohere_key' }],
  ])("can't be moved to another %s", (_, elsewhere) => {
    expect(() => box.open(sealed, elsewhere)).toThrow("can't be read");
  });

  test("can't be changed", () => {
    const at = sealed.length - 5;
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    expect(() => box.open(changed, context)).toThrow("can't be read");
    expect(() => box.open('sealed:v1:old:AAAA', context)).toThrow("can't be read");
  });

  test('of a key that is gone names the key', () => {
    expect(() => boxOf(`new:${newKey}`).open(sealed, context)).toThrow("'old'");
  });

  test('is sealed anew under the current key, once', () => {
    const rotated = boxOf(`new:${newKey},old:${oldKey}`);
    const again = rotated.reseal(sealed, context);
    expect(boxOf(`new:${newKey}`).open(again, context)).toBe('sk-ключ');
    expect(rotated.reseal(again, context)).toBe(again);
  });
});

describe('a key ring', () => {
  test.each([
    ['no id', oldKey],
    ['a short key', 'a:c2hvcnQ='],
    ['the same id twice', `a:${oldKey},a:${newKey}`],
    ['nothing', ''],
  ])('with %s is refused without repeating a key', (_, text) => {
    expect(() => KeyRing.parse(text)).toThrow(/^(?!.*c2hvcnQ).*key ring/i);
  });
});

describe('a configuration', () => {
  const definition: ResourceDefinition = {
    kind: 'language_model',
    name: 'bedrock',
    provider: 'amazon-bedrock',
    config: {
      region: 'us-east-1',
      aws_access_key_id: '${AWS_ID}',
      aws_secret_access_key: 'literal',
      aws_session_token: 'sealed:v1:old:AAAA',
      aws_secret_access_keys: 'misspelt',
      note: 'plain',
    },
  };
  const box = boxOf(`old:${oldKey}`);
  const config = sealConfig(definition, box);

  test('is stored with literals sealed and references as they are', () => {
    expect(config).toMatchObject({ region: 'us-east-1', aws_access_key_id: '${AWS_ID}' });
    expect(JSON.stringify(config)).not.toContain('literal');
    expect(isSealed(String(config['aws_secret_access_key']))).toBe(true);
  });

  test('has no secret in clear under a misspelt key', () => {
    expect(isSealed(String(config['aws_secret_access_keys']))).toBe(true);
  });

  test('seals a literal that looks sealed like any other', () => {
    const field = 'aws_session_token';
    expect(box.open(String(config[field]), { ...definition, field })).toBe('sealed:v1:old:AAAA');
  });

  const EXTRAS = {
    headers: { Authorization: 'Bearer planted' },
    proxy: 'https://me:planted@host/v1',
    url: 'https://host/v1?api_key=planted',
    accounts: ['planted'],
    api_keys: ['planted'],
    pin: 4711,
    half: 'planted-$X',
  };
  const HARMLESS = { metrics_factory_id: 'm', is_fast: true, nothing: null, empty: '' };
  const withExtras: ResourceDefinition = {
    ...definition,
    config: { region: 'us-east-1', inference_config: { topP: 1 }, ...EXTRAS, ...HARMLESS },
  };
  const names = Object.keys(EXTRAS);

  test.each([
    ['when it is given', sealConfig],
    ['when it was stored in clear', resealConfig],
  ])('has nothing in clear that its provider does not know, %s', (_, seal) => {
    const sealed = seal(withExtras, box);
    expect(names.filter((name) => !isSealed(String(sealed[name])))).toEqual([]);
    expect(sealed).toMatchObject({ region: 'us-east-1', inference_config: { topP: 1 }, ...HARMLESS });
    expect(JSON.parse(box.open(String(sealed['headers']), { ...withExtras, field: 'headers' }))).toEqual(
      EXTRAS.headers,
    );
    const again = { ...withExtras, config: sealed };
    expect(seal(again, box)).toEqual(sealed);
    const rotated = resealConfig(again, boxOf(`new:${newKey},old:${oldKey}`));
    expect(names.filter((name) => !String(rotated[name]).startsWith('sealed:v1:new:'))).toEqual([]);
  });

  test('shows nothing that its provider does not know, sealed or not', () => {
    const masked = Object.fromEntries(names.map((name) => [name, '*']));
    const shown = { region: 'us-east-1', inference_config: { topP: 1 }, ...HARMLESS, ...masked };
    expect(maskConfig(withExtras, '*')).toEqual(shown);
    expect(maskConfig({ ...withExtras, config: sealConfig(withExtras, box) }, '*')).toEqual(shown);
  });

  test('is sealed anew as a whole', () => {
    const rotated = resealConfig({ ...definition, config }, boxOf(`new:${newKey},old:${oldKey}`));
    expect(String(rotated['aws_secret_access_key'])).toMatch(/^sealed:v1:new:/);
    expect(rotated['aws_access_key_id']).toBe('${AWS_ID}');
  });
});

describe('a reference', () => {
  const resolve = (text: string, environment: Environment): string =>
    resolveReferences(text, { environment, prefix: 'X_' });

  test('is resolved anywhere in the text, several times', () => {
    expect(resolve('pre-${X_A}-$X_B_2.', { X_A: 'one', X_B_2: 'two' })).toBe('pre-one-two.');
  });

  test('to a variable that is not set or empty names it', () => {
    expect(() => resolve('$X_MISSING', {})).toThrow('X_MISSING is not set');
    expect(() => resolve('$X_EMPTY', { X_EMPTY: '' })).toThrow('X_EMPTY is not set');
  });

  test('is not resolved again in what it stands for', () => {
    expect(resolve('$X_A', { X_A: '$X_B', X_B: 'no' })).toBe('$X_B');
  });

  test.each(['${LOCI_SECRET_KEYS}', '$PATH', 'key-$X_A-and-$HOME', '$x_A', '$AX_A'])(
    'to a variable that is not for models is not resolved: %s',
    (text) => {
      const environment = { LOCI_SECRET_KEYS: 'k', PATH: 'p', X_A: 'a', HOME: 'h', x_A: 'x', AX_A: 'y' };
      expect(() => resolve(text, environment)).toThrow(/may not be used here: only .* begin with X_ may/);
      expect(forbiddenReference(text, 'X_')).toBeDefined();
    },
  );

  test('never names the keys of Loci itself, whatever the prefix is', () => {
    expect(forbiddenReference('$LOCI_SECRET_KEYS', 'LOCI_')).toContain('LOCI_SECRET_KEYS');
    expect(forbiddenReference('$LOCI_MINE', 'LOCI_')).toBeUndefined();
  });

  test.each(['$A', '${A}', 'x$Ay'])('%s is one', (text) => {
    expect(isReference(text)).toBe(true);
  });

  test.each(['sk-abc', '$', '$1', '${}', '{A}'])('%s is none', (text) => {
    expect(isReference(text)).toBe(false);
  });
});
