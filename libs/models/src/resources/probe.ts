import { AppError } from '@loci/contracts';
import { storableText } from '@loci/platform/schema';
import { ProviderFailure } from '../calls/provider-failure.js';
import { type Embedder } from '../embedder.js';
import { type LanguageModel } from '../language-model.js';
import { type Reranker } from '../reranker.js';
import { type ProbeResult } from './probe-result.js';

/** OpenAI takes no fewer than 16. */
const PROBE_TOKENS = 64;
const MAX_PROVIDER_TEXT = 300;
const KEY_LIKE = /\b(?:sk|pk)-[\w*.-]{6,}|\bBearer \S+|\b(?:AKIA|ASIA)\w{12,}/g;

/** Runs the request of a probe. @param secrets never to be shown, even when the provider repeats them */
export async function runProbe(
  request: () => Promise<{ readonly dimensions?: number }>,
  secrets: readonly string[],
): Promise<ProbeResult> {
  try {
    return { ok: true, ...(await request()) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, reason: reasonOf(error, secrets) };
  }
}

/** Asks for one short reply; a reply of no use is a reply: a model that thinks may well need more words than this. */
export async function probeLanguageModel(model: LanguageModel): Promise<object> {
  try {
    const messages = [{ role: 'user', content: 'Reply with the word ok.' }] as const;
    await model.generateText({ messages, maxOutputTokens: PROBE_TOKENS });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'model_reply_unusable') throw error;
  } finally {
    await model.close();
  }
  return {};
}

export async function probeEmbedder(embedder: Embedder): Promise<{ readonly dimensions: number }> {
  try {
    await embedder.embed(['probe'], { priority: 'query' });
    return { dimensions: embedder.dimensions };
  } finally {
    await embedder.close();
  }
}

export async function probeReranker(reranker: Reranker): Promise<object> {
  try {
    await reranker.score('probe', ['a probe', 'something else']);
    return {};
  } finally {
    await reranker.close();
  }
}

/** Our sentence, and the provider's own words where they can help: it was asked with a text of ours. */
function reasonOf({ cause, message }: AppError, secrets: readonly string[]): string {
  const hasWords = cause instanceof ProviderFailure && cause.reason !== 'unauthorized';
  const words = redacted((hasWords ? cause.providerText : undefined) ?? '', secrets)
    .replace(/\s+/g, ' ')
    .trim();
  return words === '' ? message : `${message} It says: ${storableText(words.slice(0, MAX_PROVIDER_TEXT))}`;
}

const redacted = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
    .replace(KEY_LIKE, '***');
