import { isJsonObject, type JsonObject } from '@loci/platform/schema';
import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  type ConverseCommandOutput,
  type InferenceConfiguration,
  type Message,
} from '@aws-sdk/client-bedrock-runtime';
import { type DocumentType } from '@smithy/types';
import { ProviderFailure } from '../calls/provider-failure.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import {
  type Completion,
  type CompletionClient,
  type CompletionRequest,
  type ReplySchema,
} from '../generation/completion-client.js';
import { ReplyFormats, withSchemaInPrompt } from '../generation/reply-format.js';
import { toStrictSchema } from '../generation/strict-schema.js';
import { type ChatMessage } from '../language-model.js';
import { bedrockConnection } from './bedrock-connection.js';
import { bedrockFailure } from './bedrock-failure.js';
import { type BedrockLanguageModelSettings } from './bedrock-settings.js';
import { additionalFields } from './reasoning-fields.js';

const CUT_OFF: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded']);
const REFUSED: ReadonlySet<string> = new Set(['guardrail_intervened', 'content_filtered']);

/** Families of models that keep what stands before a cache point; others refuse one. */
const KEEPS_BEGINNINGS = /anthropic\.claude|amazon\.nova/;
const END_OF_BEGINNING = { cachePoint: { type: 'default' } } as const;

function isAboutCaching(error: unknown): boolean {
  const { reason, providerText = '' } = bedrockFailure(error);
  return (reason === 'rejected' || reason === 'unauthorized') && /cach/i.test(providerText);
}

/** The Converse API of Amazon Bedrock. JSON is asked for as the input of a tool that the model has to call. */
export class ConverseClient implements CompletionClient {
  private readonly client: BedrockRuntimeClient;
  private readonly formats = new ReplyFormats(['strict_tool', 'tool', 'prompt']);

  private keepsBeginnings: boolean;

  constructor(
    private readonly settings: BedrockLanguageModelSettings,
    private readonly guard: EgressGuard,
  ) {
    this.keepsBeginnings = KEEPS_BEGINNINGS.test(settings.model_id);
    this.client = new BedrockRuntimeClient(bedrockConnection(settings, guard));
  }

  async complete(request: CompletionRequest): Promise<Completion> {
    const { json } = request;
    if (!json) return this.send(request, {});
    return this.formats.tryEach((format) => {
      if (format !== 'prompt') {
        return this.send(request, { toolConfig: forcedTool(json, format === 'strict_tool') });
      }
      return this.send({ ...request, messages: withSchemaInPrompt(request.messages, json) }, {});
    }, bedrockFailure);
  }

  async close(): Promise<void> {
    this.client.destroy();
    await this.guard.close();
  }

  private async send(
    { messages, maxOutputTokens, signal }: CompletionRequest,
    tools: Pick<ConverseCommandInput, 'toolConfig'>,
  ): Promise<Completion> {
    const {
      model_id: modelId,
      inference_config: inference,
      temperature,
      max_output_tokens: mostTokens,
    } = this.settings;
    const inferenceConfig: InferenceConfiguration = {
      ...(temperature !== undefined && { temperature }),
      ...(mostTokens !== undefined && { maxTokens: mostTokens }),
      ...inference,
      ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    };
    const additional = additionalFields(this.settings);
    const system = messages.filter(({ role }) => role === 'system').map(({ content }) => ({ text: content }));
    const command = new ConverseCommand({
      modelId,
      system: this.keepsBeginnings && system.length > 0 ? [...system, END_OF_BEGINNING] : system,
      messages: inTurns(messages),
      ...(Object.keys(inferenceConfig).length > 0 && { inferenceConfig }),
      ...(additional && { additionalModelRequestFields: asDocument(additional) }),
      ...tools,
    });
    try {
      return toCompletion(await this.client.send(command, { abortSignal: signal }));
    } catch (error) {
      if (!this.keepsBeginnings || !isAboutCaching(error)) throw error;
      this.keepsBeginnings = false;
      return this.send({ messages, maxOutputTokens, signal }, tools);
    }
  }
}

/** @param isStrict asks for constrained decoding, which models of former generations refuse */
function forcedTool(
  { name, schema }: ReplySchema,
  isStrict: boolean,
): NonNullable<ConverseCommandInput['toolConfig']> {
  const strict = isStrict ? toStrictSchema(schema) : undefined;
  const inputSchema = { json: asDocument(strict ?? schema) };
  const toolSpec = { name, description: 'Takes the reply.', inputSchema, ...(strict && { strict: true }) };
  return { tools: [{ toolSpec }], toolChoice: { tool: { name } } };
}

/** Converse wants user and assistant in turns. */
function inTurns(messages: readonly ChatMessage[]): Message[] {
  const turns: { role: 'user' | 'assistant'; content: { text: string }[] }[] = [];
  for (const { role, content } of messages) {
    if (role === 'system') continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push({ text: content });
    else turns.push({ role, content: [{ text: content }] });
  }
  return turns;
}

function toCompletion({ output, stopReason, usage }: ConverseCommandOutput): Completion {
  const content: unknown = output?.message?.content;
  if (!Array.isArray(content) || !content.every(isJsonObject)) throw notOfConverse();
  // Converse counts what it has kept, and keeps, beside its input
  const { cacheReadInputTokens: read = 0, cacheWriteInputTokens: written = 0 } = usage ?? {};
  const toolInput = content
    .map(({ toolUse }) => (isJsonObject(toolUse) ? toolUse['input'] : undefined))
    .find((input) => input !== undefined);
  const texts = content.map(({ text }) => text ?? '');
  if (!texts.every((text) => typeof text === 'string')) throw notOfConverse();
  return {
    text: toolInput === undefined ? texts.join('') : JSON.stringify(toolInput),
    end: REFUSED.has(stopReason ?? '') ? 'refused' : CUT_OFF.has(stopReason ?? '') ? 'cut_off' : 'complete',
    usage: {
      inputTokens: (usage?.inputTokens ?? 0) + read + written,
      cachedTokens: read,
      outputTokens: usage?.outputTokens ?? 0,
    },
  };
}

const notOfConverse = (): ProviderFailure =>
  new ProviderFailure('broken', 'answered with something that is not a reply of Converse; check the address');

/** What came as JSON is a document in the words of the SDK. */
const asDocument = (json: JsonObject): DocumentType => JSON.parse(JSON.stringify(json)) as DocumentType;
