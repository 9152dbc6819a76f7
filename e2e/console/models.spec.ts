import { expect, test } from '@jest/globals';
import { eventually, type FakeModels } from '@loci/testing';
import { type Page } from 'playwright-core';
import { inBrowser } from './console.js';

type Typed = Readonly<Record<string, string>>;

const KEY = { 'API key': 'a-good-key' };

/** What a person types for each provider that is not built into Loci, by kind. */
const forms = (models: FakeModels): Readonly<Record<string, Readonly<Record<string, Typed>>>> => {
  const aws = {
    Region: 'us-east-1',
    'Access key id': 'AKIDEXAMPLE',
    'Secret access key': 'planted',
    Endpoint: models.urlOf('bedrock'),
  };
  const at = (provider: Parameters<FakeModels['urlOf']>[0]) => ({ Address: models.urlOf(provider) });
  const openAi = { ...KEY, ...at('openai'), Model: 'gpt', Temperature: '0.3' };
  return {
    'Language models': {
      'openai-responses': openAi,
      'openai-chat-completions': openAi,
      'azure-openai': { ...KEY, ...at('azure'), Deployment: 'gpt' },
      anthropic: { ...KEY, ...at('anthropic'), Model: 'claude-haiku-4-5', 'Longest reply in tokens': '900' },
      gemini: { ...KEY, ...at('gemini'), Model: 'gemini-2.5-flash' },
      ollama: { ...at('ollama'), Model: 'qwen3', 'Context in tokens': '8192' },
      'amazon-bedrock': { ...aws, 'Model id': 'anthropic.claude' },
    },
    Embedders: {
      openai: { ...KEY, ...at('openai') },
      voyage: { ...KEY, ...at('voyage'), Dimensions: '256' },
      jina: { ...KEY, ...at('jina') },
      cohere: { ...KEY, ...at('cohere') },
      tei: { ...at('tei'), 'Model that the server runs': 'bge' },
      ollama: { ...at('ollama'), Model: 'nomic-embed-text', 'Prefix of queries': 'search_query: ' },
      'amazon-bedrock': aws,
    },
    Rerankers: {
      cohere: { ...KEY, ...at('cohere') },
      voyage: { ...KEY, ...at('voyage') },
      jina: { ...KEY, ...at('jina') },
      tei: at('tei'),
      'amazon-bedrock': { ...aws, 'Model id': 'cohere.rerank-v3-5:0' },
    },
  };
};

async function register(page: Page, provider: string, typed: Typed): Promise<void> {
  const form = page.getByRole('dialog');
  await form.getByLabel('Provider').selectOption(provider);
  await form.getByLabel('Name here').fill(`by form ${provider}`);
  for (const [label, text] of Object.entries(typed)) {
    const field = form.getByLabel(label, { exact: true });
    // a key must not follow from one provider to the next
    expect(await field.inputValue()).toBe('');
    await field.fill(text);
  }
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await form.getByRole('button', { name: 'Register and try it' }).click();
  expect((await answered).status()).toBe(201);
}

inBrowser('models', (desk) => {
  test('each provider has a form by which it is registered and works', async () => {
    const { open, models, key, loci } = desk();
    const page = await open('/models');
    const kinds = forms(models);
    for (const [kind, providers] of Object.entries(kinds)) {
      await page.getByRole('button', { name: `Register: ${kind}` }).click();
      if (kind === 'Language models') await page.getByLabel('Learn with this model').uncheck();
      for (const [provider, typed] of Object.entries(providers)) await register(page, provider, typed);
      await page.keyboard.press('Escape');
    }
    const headers = { authorization: `Bearer ${key}` };
    await eventually(
      async () => {
        const listed = await (await fetch(`${loci.url}/api/v2/config/resources`, { headers })).json();
        const found = Object.values(listed as Record<string, { name: string; status: string }[]>).flat();
        const ready = found.filter(({ name, status }) => name.startsWith('by form') && status === 'ready');
        return ready.length === Object.values(kinds).flatMap((providers) => Object.keys(providers)).length;
      },
      { what: 'all of them are ready' },
    );
  });
});
