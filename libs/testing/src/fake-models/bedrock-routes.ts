import { type Prompt } from './fake-thought.js';
import { hashedEmbedding, wordOverlap } from './hashed-embedding.js';
import {
  isJson,
  type Json,
  listIn,
  ok,
  parsedObject,
  type ProviderAnswer,
  type ProviderRequest,
  textIn,
  tokensOf,
  UNKNOWN_MODEL,
  WRONG_KEY,
} from './provider-answer.js';
import { strictnessProblem } from './strict-rules.js';

const TITAN_DIMENSIONS = 1024;

/** The protocol of Amazon Bedrock: Converse, InvokeModel of Titan and Cohere embedders, Rerank. */
export function answerBedrock(
  { path, body, key }: ProviderRequest,
  reply: (prompt: Prompt) => string,
): ProviderAnswer | undefined {
  const { model, verb } = /^\/model\/(?<model>[^/]+)\/(?<verb>converse|invoke)$/.exec(path)?.groups ?? {};
  if (model === undefined && path !== '/rerank') return undefined;
  if (key === WRONG_KEY) {
    return bedrockError(
      403,
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    );
  }
  if (model === UNKNOWN_MODEL) {
    return bedrockError(400, 'ValidationException', 'The provided model identifier is invalid.');
  }
  if (path === '/rerank') return ok(rerank(body));
  const problem = strictnessProblem(strictTool(body['toolConfig']));
  if (problem !== undefined) return bedrockError(400, 'ValidationException', problem);
  return ok(verb === 'converse' ? converse(body, reply) : embed(decodeURIComponent(model ?? ''), body));
}

export const bedrockError = (status: number, name: string, message: string): ProviderAnswer => ({
  status,
  headers: { 'x-amzn-errortype': name },
  body: { message },
});

function converse(body: Json, reply: (prompt: Prompt) => string): Json {
  const tool = toolIn(body['toolConfig']);
  const users = listIn(body['messages'])
    .filter(isJson)
    .filter(({ role }) => role === 'user');
  const prompt = {
    system: blocksText(body['system']),
    user: blocksText(users.at(-1)?.['content']),
    first: blocksText(users.at(0)?.['content']),
    schema: tool?.schema,
  };
  const text = reply(prompt);
  const [inputTokens, outputTokens] = [tokensOf(prompt.system + prompt.user), tokensOf(text)];
  const input = tool && parsedObject(text);
  const content =
    tool && input ? [{ toolUse: { toolUseId: 'tool_fake', name: tool.name, input } }] : [{ text }];
  return {
    output: { message: { role: 'assistant', content } },
    stopReason: input ? 'tool_use' : 'end_turn',
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    metrics: { latencyMs: 1 },
  };
}

/** The schema of a tool whose input is constrained. */
function strictTool(config: unknown): unknown {
  const [tool] = isJson(config) ? listIn(config['tools']) : [];
  const spec = isJson(tool) && isJson(tool['toolSpec']) ? tool['toolSpec'] : {};
  return spec['strict'] === true && isJson(spec['inputSchema']) ? spec['inputSchema']['json'] : undefined;
}

function toolIn(config: unknown): { readonly name: string; readonly schema: Json | undefined } | undefined {
  const [tool] = isJson(config) ? listIn(config['tools']) : [];
  const spec = isJson(tool) ? tool['toolSpec'] : undefined;
  if (!isJson(spec)) return undefined;
  const schema = isJson(spec['inputSchema']) ? spec['inputSchema']['json'] : undefined;
  return { name: textIn(spec['name']), schema: isJson(schema) ? schema : undefined };
}

function embed(model: string, body: Json): Json {
  if (!model.includes('cohere')) {
    const text = textIn(body['inputText']);
    const dimensions = typeof body['dimensions'] === 'number' ? body['dimensions'] : TITAN_DIMENSIONS;
    return { embedding: hashedEmbedding(text, dimensions), inputTextTokenCount: tokensOf(text) };
  }
  const texts = listIn(body['texts']).map(textIn);
  const embeddings = texts.map((text) => hashedEmbedding(text, TITAN_DIMENSIONS));
  return { id: 'fake', response_type: 'embeddings_floats', embeddings, texts };
}

function rerank(body: Json): Json {
  const query = queryText(body);
  const results = listIn(body['sources'])
    .map((source, index) => ({ index, relevanceScore: wordOverlap(query, inlineText(source)) }))
    .sort((a, b) => b.relevanceScore - a.relevanceScore);
  return { results };
}

function queryText(body: Json): string {
  const [query] = listIn(body['queries']);
  return isJson(query) && isJson(query['textQuery']) ? textIn(query['textQuery']['text']) : '';
}

function inlineText(source: unknown): string {
  const document = isJson(source) ? source['inlineDocumentSource'] : undefined;
  return isJson(document) && isJson(document['textDocument']) ? textIn(document['textDocument']['text']) : '';
}

const blocksText = (blocks: unknown): string =>
  listIn(blocks)
    .map((block) => (isJson(block) ? textIn(block['text']) : ''))
    .join('\n');
