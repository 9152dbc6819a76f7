import { bedrockEmbedderSchema } from '../bedrock/bedrock-settings.js';
import { type Embedder } from '../embedder.js';
import { BorrowedEmbedder } from '../embedding/borrowed-embedder.js';
import { ProviderEmbedder } from '../embedding/provider-embedder.js';
import { type LocalModelName } from '../local/local-model.js';
import { localEmbedderSchema } from '../local/local-settings.js';
import { openAiEmbedderSchema, type OpenAiEmbedderSettings } from '../openai/openai-settings.js';
import { type ResourceDefinition } from '../resource-definition.js';
import { unknownProvider, type BuildContext } from './build-context.js';

/** What OpenAI's models are asked for when nothing else is said. */
const OPENAI_DIMENSIONS = 1536;

/** The SDK of a provider is loaded with the first embedder of it. */
export async function buildEmbedder(
  definition: ResourceDefinition,
  context: BuildContext,
  localEmbedder: (model: LocalModelName) => Promise<Embedder>,
): Promise<Embedder> {
  switch (definition.provider) {
    case 'local':
      return new BorrowedEmbedder(await localEmbedder(context.settings(localEmbedderSchema).model));
    case 'openai':
      return openAiEmbedder(withDimensions(context.settings(openAiEmbedderSchema)), context);
    case 'amazon-bedrock': {
      const settings = context.settings(bedrockEmbedderSchema);
      const { model_id: model, endpoint: server, dimensions } = settings;
      const { BedrockEmbeddingClient } = await import('../bedrock/bedrock-embedding-client.js');
      const client = new BedrockEmbeddingClient(settings, context.guard());
      const identity = { provider: 'bedrock', model, server };
      return ProviderEmbedder.create(client, context.calls('bedrock', settings), identity, dimensions);
    }
    default:
      throw unknownProvider(definition);
  }
}

async function openAiEmbedder(settings: OpenAiEmbedderSettings, context: BuildContext): Promise<Embedder> {
  const { OpenAiEmbeddingClient } = await import('../openai/openai-embedding-client.js');
  const { model, base_url: server, dimensions } = settings;
  const client = new OpenAiEmbeddingClient(settings, context.guard());
  const identity = { provider: 'openai', model, server };
  return ProviderEmbedder.create(client, context.calls('openai', settings), identity, dimensions);
}

function withDimensions(settings: OpenAiEmbedderSettings): OpenAiEmbedderSettings {
  const isOpenAi = settings.base_url === undefined;
  return isOpenAi ? { ...settings, dimensions: settings.dimensions ?? OPENAI_DIMENSIONS } : settings;
}
