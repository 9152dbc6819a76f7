import { bedrockLanguageModelFields } from '../bedrock/bedrock-settings.js';
import { ConverseClient } from '../bedrock/converse-client.js';
import { ProviderLanguageModel } from '../generation/provider-language-model.js';
import { type LanguageModel } from '../language-model.js';
import { ChatClient } from '../openai/chat-client.js';
import { openAiLanguageModelFields } from '../openai/openai-settings.js';
import { ResponsesClient } from '../openai/responses-client.js';
import { type ResourceDefinition } from '../resources/resource-definition.js';
import { unknownProvider, type Workshop } from './workshop.js';

export function buildLanguageModel(definition: ResourceDefinition, workshop: Workshop): LanguageModel {
  switch (definition.provider) {
    case 'openai-responses': {
      const settings = workshop.settings(openAiLanguageModelFields);
      const client = new ResponsesClient(settings, workshop.guard());
      return new ProviderLanguageModel(client, workshop.calls('openai', settings));
    }
    case 'openai-chat-completions': {
      const settings = workshop.settings(openAiLanguageModelFields);
      const client = new ChatClient(settings, workshop.guard());
      return new ProviderLanguageModel(client, workshop.calls('openai', settings));
    }
    case 'amazon-bedrock': {
      const settings = workshop.settings(bedrockLanguageModelFields);
      const client = new ConverseClient(settings, workshop.guard());
      return new ProviderLanguageModel(client, workshop.calls('bedrock', settings));
    }
    default:
      throw unknownProvider(definition);
  }
}
