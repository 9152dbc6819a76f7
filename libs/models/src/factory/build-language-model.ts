import { anthropicLanguageModelSchema } from '../anthropic/anthropic-settings.js';
import { bedrockLanguageModelSchema } from '../bedrock/bedrock-settings.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { geminiLanguageModelSchema } from '../gemini/gemini-settings.js';
import { type CompletionClient } from '../generation/completion-client.js';
import { ProviderLanguageModel } from '../generation/provider-language-model.js';
import { type LanguageModel } from '../language-model.js';
import { ollamaLanguageModelSchema } from '../ollama/ollama-settings.js';
import { type OpenAiEndpoint } from '../openai/openai-client.js';
import {
  azureLanguageModelSchema,
  type OpenAiGenerationSettings,
  openAiLanguageModelSchema,
} from '../openai/openai-settings.js';
import { type ResourceDefinition } from '../resource-definition.js';
import { type Protocol, unknownProvider, type BuildContext } from './build-context.js';

/** The SDK of a provider is loaded with the first model of it: most processes never need most of them. */
export async function buildLanguageModel(
  definition: ResourceDefinition,
  context: BuildContext,
): Promise<LanguageModel> {
  const { settings, client, protocol } = await clientOf(definition, context);
  return new ProviderLanguageModel(client, context.calls(protocol, settings));
}

interface BuiltClient {
  readonly client: CompletionClient;
  readonly settings: { readonly max_retry_interval_seconds: number };
  readonly protocol: Protocol;
}

async function clientOf(definition: ResourceDefinition, context: BuildContext): Promise<BuiltClient> {
  switch (definition.provider) {
    case 'openai-responses':
      return openAi('responses', context);
    case 'openai-chat-completions':
      return openAi('chat-completions', context);
    case 'azure-openai':
      return azure(context);
    case 'anthropic': {
      const settings = context.settings(anthropicLanguageModelSchema);
      const { anthropicClient } = await import('../anthropic/anthropic-client.js');
      return { client: anthropicClient(settings, context.guard()), settings, protocol: 'anthropic' };
    }
    case 'gemini': {
      const settings = context.settings(geminiLanguageModelSchema);
      const { geminiClient } = await import('../gemini/gemini-client.js');
      return { client: geminiClient(settings, context.guard()), settings, protocol: 'gemini' };
    }
    case 'ollama': {
      const settings = context.settings(ollamaLanguageModelSchema);
      const { OllamaChatClient } = await import('../ollama/ollama-chat-client.js');
      return { client: new OllamaChatClient(settings, context.guard()), settings, protocol: 'http' };
    }
    case 'amazon-bedrock': {
      const settings = context.settings(bedrockLanguageModelSchema);
      const { ConverseClient } = await import('../bedrock/converse-client.js');
      return { client: new ConverseClient(settings, context.guard()), settings, protocol: 'bedrock' };
    }
    default:
      throw unknownProvider(definition);
  }
}

type Api = 'chat-completions' | 'responses';

async function openAi(api: Api, context: BuildContext): Promise<BuiltClient> {
  const settings = context.settings(openAiLanguageModelSchema);
  const { openAiEndpoint } = await import('../openai/openai-client.js');
  const guard = context.guard();
  return openAiOver(api, settings, openAiEndpoint(settings, guard), guard);
}

async function azure(context: BuildContext): Promise<BuiltClient> {
  const settings = context.settings(azureLanguageModelSchema);
  const { azureEndpoint } = await import('../azure/azure-endpoint.js');
  const guard = context.guard();
  return openAiOver(settings.api, settings, azureEndpoint(settings, guard), guard);
}

async function openAiOver(
  api: Api,
  settings: OpenAiGenerationSettings & BuiltClient['settings'],
  endpoint: OpenAiEndpoint,
  guard: EgressGuard,
): Promise<BuiltClient> {
  const { ChatClient } = await import('../openai/chat-client.js');
  const { ResponsesClient } = await import('../openai/responses-client.js');
  const Client = api === 'responses' ? ResponsesClient : ChatClient;
  return { client: new Client(settings, endpoint, guard), settings, protocol: 'openai' };
}
