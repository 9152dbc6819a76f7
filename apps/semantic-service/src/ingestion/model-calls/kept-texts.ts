import { type ChatMessage } from '@loci/models';
import { storableText } from '@loci/platform/schema';

/** Of all messages of a prompt, in UTF-16 units: above what ingestion shows a model in one call. */
const MAX_PROMPT_CHARS = 200_000;

/** Of a reply. */
const MAX_REPLY_CHARS = 100_000;

/** What is kept of the texts of a call. */
export interface KeptTexts {
  readonly prompt: readonly ChatMessage[];
  readonly reply: string | undefined;
  readonly isCut: boolean;
}

/** Texts without what looks like a secret, and not longer than a record may be. */
export function keptTexts(prompt: readonly ChatMessage[], reply: string | undefined): KeptTexts {
  let left = MAX_PROMPT_CHARS;
  let isCut = false;
  const cut = (text: string, length: number): string => {
    if (text.length <= length) return text;
    isCut = true;
    return storableText(text.slice(0, length));
  };
  const messages = prompt.map(({ role, content }) => {
    const text = cut(withoutSecrets(content), left);
    left -= text.length;
    return { role, content: text };
  });
  const replied = reply === undefined ? undefined : cut(withoutSecrets(reply), MAX_REPLY_CHARS);
  return { prompt: messages, reply: replied, isCut };
}

const REDACTED = '[redacted]';

/** Credentials whose form tells what they are. Each expression takes linear time. */
const SECRETS: readonly RegExp[] = [
  // private keys, up to their end or that of the text
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  // keys of OpenAI and others, Stripe, GitHub, GitLab, Slack, Google, AWS, and ours
  /\b(?:sk|rk|pk)[-_][\w-]{16,}/g,
  /\bgh[pousr]_\w{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bxox[abprs]-[\w-]{10,}/g,
  /\bAIza[\w-]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bloci_\w{20,}/g,
  /\bBearer [\w.~+/-]{16,}/g,
];

/**
 * What may be a JSON web token, with all that is joined to it. It begins where a word does: from within, each `eyJ` of a long
 * word would be followed to its end.
 */
const LIKE_WEB_TOKENS = /(?<![\w-])[\w-]{11,}(?:\.[\w-]{8,}){2,}/g;

const WEB_TOKEN = /\beyJ[\w-]{8}/;

/** A text in which credentials of known forms are replaced. What a person calls a password looks like any word, and stays. */
export function withoutSecrets(text: string): string {
  const withoutTokens = text.replace(LIKE_WEB_TOKENS, (word) => (WEB_TOKEN.test(word) ? REDACTED : word));
  return SECRETS.reduce((rest, secret) => rest.replace(secret, REDACTED), withoutTokens);
}
