import { anthropicError, answerAnthropic } from './anthropic-routes.js';
import { answerAzure } from './azure-routes.js';
import { answerBedrock, bedrockError } from './bedrock-routes.js';
import { answerCohere, cohereError } from './cohere-routes.js';
import { type Prompt } from './fake-thought.js';
import { answerGemini, geminiError } from './gemini-routes.js';
import { answerJina } from './jina-routes.js';
import { answerOllama, ollamaError } from './ollama-routes.js';
import { answerOpenAi, openAiError } from './openai-routes.js';
import { detailError, type ProviderAnswer, type ProviderRequest } from './provider-answer.js';
import { answerTei, teiError } from './tei-routes.js';
import { answerVoyage } from './voyage-routes.js';

interface StandIn {
  /** Below which the stand-in answers as this provider; several have the same paths. */
  readonly prefix: string;
  /** What the address in a configuration has after its host. */
  readonly base: string;
  readonly answer: (
    request: ProviderRequest,
    reply: (prompt: Prompt) => string,
  ) => ProviderAnswer | undefined;
  /** An error as the provider words it. */
  readonly error: (status: number, message: string) => ProviderAnswer;
}

const openAi = (status: number, message: string): ProviderAnswer => openAiError(status, message, null);
const bedrock = (status: number, message: string): ProviderAnswer =>
  bedrockError(status, status === 429 ? 'ThrottlingException' : 'InternalServerException', message);

/** Those with a prefix of their own first. */
export const STAND_INS = {
  anthropic: { prefix: '/anthropic', base: '/v1', answer: answerAnthropic, error: anthropicError },
  gemini: { prefix: '/gemini', base: '/v1beta', answer: answerGemini, error: geminiError },
  ollama: { prefix: '/ollama', base: '', answer: answerOllama, error: ollamaError },
  voyage: { prefix: '/voyage', base: '/v1', answer: answerVoyage, error: detailError },
  jina: { prefix: '/jina', base: '/v1', answer: answerJina, error: detailError },
  tei: { prefix: '/tei', base: '', answer: answerTei, error: teiError },
  azure: { prefix: '/azure', base: '/openai/v1', answer: answerAzure, error: openAi },
  bedrock: { prefix: '', base: '', answer: answerBedrock, error: bedrock },
  cohere: { prefix: '', base: '', answer: answerCohere, error: cohereError },
  openai: { prefix: '', base: '/v1', answer: answerOpenAi, error: openAi },
} as const satisfies Readonly<Record<string, StandIn>>;

export type StandInName = keyof typeof STAND_INS;

/** Whose path it is, and what is left of it below the prefix. */
export function standInAt(path: string): { readonly standIn: StandIn; readonly path: string } {
  const all: readonly StandIn[] = Object.values(STAND_INS);
  const own = all.find(({ prefix }) => prefix !== '' && path.startsWith(`${prefix}/`));
  if (own) return { standIn: own, path: path.slice(own.prefix.length) };
  if (path.startsWith('/model/') || path === '/rerank') return { standIn: STAND_INS.bedrock, path };
  return { standIn: path.startsWith('/v2/') ? STAND_INS.cohere : STAND_INS.openai, path };
}
