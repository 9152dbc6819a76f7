import { bedrockEmbedderSchema } from '../bedrock/bedrock-settings.js';
import { CohereEmbeddingClient } from '../cohere/cohere-embedding-client.js';
import { cohereEmbedderSchema } from '../cohere/cohere-settings.js';
import { type Embedder } from '../embedder.js';
import { BorrowedEmbedder } from '../embedding/borrowed-embedder.js';
import { type EmbeddingClient } from '../embedding/embedding-client.js';
import { ProviderEmbedder } from '../embedding/provider-embedder.js';
import { JinaEmbeddingClient } from '../jina/jina-embedding-client.js';
import { jinaEmbedderSchema } from '../jina/jina-settings.js';
import { type LocalModelName } from '../local/local-model.js';
import { localEmbedderSchema } from '../local/local-settings.js';
import { ollamaEmbedderSchema } from '../ollama/ollama-settings.js';
import { openAiEmbedderSchema, type OpenAiEmbedderSettings } from '../openai/openai-settings.js';
import { type ResourceDefinition } from '../resource-definition.js';
import { TeiEmbeddingClient } from '../tei/tei-embedding-client.js';
import { teiEmbedderSchema } from '../tei/tei-settings.js';
import { VoyageEmbeddingClient } from '../voyage/voyage-embedding-client.js';
import { voyageEmbedderSchema } from '../voyage/voyage-settings.js';
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
    case 'voyage': {
      const settings = context.settings(voyageEmbedderSchema);
      return overHttp(new VoyageEmbeddingClient(settings, context.guard()), settings, definition, context);
    }
    case 'jina': {
      const settings = context.settings(jinaEmbedderSchema);
      return overHttp(new JinaEmbeddingClient(settings, context.guard()), settings, definition, context);
    }
    case 'cohere': {
      const settings = context.settings(cohereEmbedderSchema);
      return overHttp(new CohereEmbeddingClient(settings, context.guard()), settings, definition, context);
    }
    case 'tei': {
      const settings = context.settings(teiEmbedderSchema);
      const client = new TeiEmbeddingClient(settings, context.guard());
      return overHttp(client, settings, definition, context, settings.document_prompt_name);
    }
    case 'ollama': {
      const settings = context.settings(ollamaEmbedderSchema);
      const { OllamaEmbeddingClient } = await import('../ollama/ollama-embedding-client.js');
      const client = new OllamaEmbeddingClient(settings, context.guard());
      return overHttp(client, settings, definition, context, settings.document_prefix);
    }
    default:
      throw unknownProvider(definition);
  }
}

interface HttpEmbedderSettings {
  readonly model: string;
  readonly base_url: string;
  readonly dimensions?: number | undefined;
  readonly max_retry_interval_seconds: number;
}

/** @param preparation what is done to documents before the model reads them */
function overHttp(
  client: EmbeddingClient,
  settings: HttpEmbedderSettings,
  { provider }: ResourceDefinition,
  context: BuildContext,
  preparation?: string,
): Promise<Embedder> {
  const { model, base_url: server, dimensions } = settings;
  const identity = { provider, model, server, preparation };
  return ProviderEmbedder.create(client, context.calls('http', settings), identity, dimensions);
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
