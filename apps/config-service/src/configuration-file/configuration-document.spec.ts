import { describe, expect, test } from '@jest/globals';
import { ConfigurationDocument } from './configuration-document.js';

const TEXT = `# my configuration
resources:
  language_models:
    main: # the good one
      provider: openai-responses
      config:
        model: gpt # cheap
        api_key: \${MY_KEY}
  embedders:
semantic_memory:
  # how soon
  ingestion_trigger_messages: 7
`;

const parse = (text = TEXT): ConfigurationDocument => ConfigurationDocument.parse(text, 'loci.yml');

describe('a change', () => {
  test('changes only what it has to, and keeps every comment, reference and sequence', () => {
    const document = parse();
    document.set(['semantic_memory', 'ingestion_trigger_messages'], 9);
    document.set(['resources', 'language_models', 'main'], {
      config: { api_key: '${MY_KEY}', model: 'better' },
      provider: 'openai-responses',
    });
    expect(document.changedText()?.replaceAll(/\s+/g, ' ')).toBe(
      TEXT.replace('7', '9').replace('gpt', 'better').replaceAll(/\s+/g, ' '),
    );
  });

  test('removes keys that are gone, and whole entries', () => {
    const document = parse();
    document.set(['resources', 'language_models', 'main'], { provider: 'x', config: { model: 'gpt' } });
    expect(document.get(['resources', 'language_models', 'main'])).toEqual({
      provider: 'x',
      config: { model: 'gpt' },
    });
    document.delete(['resources', 'language_models', 'main']);
    expect(parse(document.changedText()).keysBelow(['resources', 'language_models'])).toEqual([]);
  });

  test('finds room in an empty section, in a missing one, and in an empty file', () => {
    for (const text of [TEXT, 'other: 1\n', '', '# only a comment\n', 'resources:\n', 'resources: {}\n']) {
      const document = parse(text);
      document.set(['resources', 'embedders', 'a/b'], { provider: 'openai', config: {} });
      const again = parse(document.changedText());
      expect(again.get(['resources', 'embedders', 'a/b'])).toEqual({ provider: 'openai', config: {} });
    }
  });

  test('to what is there already is none', () => {
    const document = parse();
    document.set(['semantic_memory', 'ingestion_trigger_messages'], 7);
    document.delete(['semantic_memory', 'llm_model']);
    expect(document.changedText()).toBeUndefined();
  });
});

describe('a broken file', () => {
  test.each([
    ['a: [1, 2\nb: 3\n', 2, 1],
    ['a: 1\n b: 2\n', 1, 4],
    ['a: 1\na: 2\n', 2, 1],
    ['- a\n- b\n', 1, 1],
    ['just text', 1, 1],
  ])('%j is refused at line %d, column %d', (text, line, col) => {
    expect(() => parse(text)).toThrow(
      new RegExp(`^The configuration file loci.yml is wrong at line ${line}, column ${col}: `),
    );
  });

  test('a value that does not fit is refused where it stands, a missing one where it should', () => {
    const at = (...keys: string[]): string => parse().error(keys, 'No.').message;
    expect(at('semantic_memory', 'ingestion_trigger_messages')).toContain('line 12, column 31: No.');
    expect(at('resources', 'language_models', 'main', 'config', 'region')).toContain('line 7, column 9: No.');
  });
});
