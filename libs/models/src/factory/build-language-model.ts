import { bedrockLanguageModelSchema } from '../bedrock/bedrock-settings.js';
import { ProviderLanguageModel } from '../generation/provider-language-model.js';
import { type LanguageModel } from '../language-model.js';
import { openAiLanguageModelSchema } from '../openai/openai-settings.js';
import { type ResourceDefinition } from '../resource-definition.js';
import { unknownProvider, type BuildContext } from './build-context.js';

/** The SDK of a provider is loaded with the first model of it: most processes never need most of them. */
export async function buildLanguageModel(
  definition: ResourceDefinition,
  context: BuildContext,
): Promise<LanguageModel> {
  switch (definition.provider) {
    case 'openai-responses': {
      const settings = context.settings(openAiLanguageModelSchema);
      const { ResponsesClient } = await import('../openai/responses-client.js');
      const client = new ResponsesClient(settings, context.guard());
      return new ProviderLanguageModel(client, context.calls('openai', settings));
    }
    case 'openai-chat-completions': {
      const settings = context.settings(openAiLanguageModelSchema);
      const { ChatClient } = await import('../openai/chat-client.js');
      const client = new ChatClient(settings, context.guard());
      return new ProviderLanguageModel(client, context.calls('openai', settings));
    }
    case 'amazon-bedrock': {
      const settings = context.settings(bedrockLanguageModelSchema);
      const { ConverseClient } = await import('../bedrock/converse-client.js');
      const client = new ConverseClient(settings, context.guard());
      return new ProviderLanguageModel(client, context.calls('bedrock', settings));
    }
    default:
      throw unknownProvider(definition);
  }
}
