import { bedrockRerankerSchema } from '../bedrock/bedrock-settings.js';
import { ProviderFailure } from '../calls/provider-failure.js';
import { CohereRerankClient } from '../cohere/cohere-rerank-client.js';
import { cohereRerankerSchema } from '../cohere/cohere-settings.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { JinaRerankClient } from '../jina/jina-rerank-client.js';
import { jinaRerankerSchema } from '../jina/jina-settings.js';
import { type Reranker } from '../reranker.js';
import { Bm25Reranker } from '../rerankers/bm25-reranker.js';
import { EmbedderReranker } from '../rerankers/embedder-reranker.js';
import { IdentityReranker } from '../rerankers/identity-reranker.js';
import { ProviderReranker } from '../rerankers/provider-reranker.js';
import { bm25Schema, embedderRerankerSchema, rrfHybridSchema } from '../rerankers/reranker-settings.js';
import { type RerankClient } from '../rerankers/rerank-client.js';
import { RrfHybridReranker } from '../rerankers/rrf-hybrid-reranker.js';
import { type ModelPeers } from '../resources/model-peers.js';
import { type ResourceDefinition } from '../resource-definition.js';
import { TeiRerankClient } from '../tei/tei-rerank-client.js';
import { teiRerankerSchema } from '../tei/tei-settings.js';
import { VoyageRerankClient } from '../voyage/voyage-rerank-client.js';
import { voyageRerankerSchema } from '../voyage/voyage-settings.js';
import { unknownProvider, type BuildContext } from './build-context.js';

/** The SDK of a provider is loaded with the first reranker of it. */
export async function buildReranker(
  definition: ResourceDefinition,
  context: BuildContext,
  peers: ModelPeers,
): Promise<Reranker> {
  const { name, provider } = definition;
  switch (provider) {
    case 'identity':
      return new IdentityReranker(name);
    case 'bm25':
      return new Bm25Reranker(name, context.settings(bm25Schema));
    case 'embedder': {
      const { embedder_id: embedder } = context.settings(embedderRerankerSchema);
      return new EmbedderReranker(name, await peers.embedder(embedder));
    }
    case 'rrf-hybrid': {
      const { reranker_ids: members, k } = context.settings(rrfHybridSchema);
      if (members.includes(name)) throw new ProviderFailure('misconfigured', "can't be made of itself");
      return new RrfHybridReranker(
        name,
        await Promise.all(members.map((member) => peers.reranker(member))),
        k,
      );
    }
    case 'cohere':
      return overHttp(CohereRerankClient, context.settings(cohereRerankerSchema), context);
    case 'voyage':
      return overHttp(VoyageRerankClient, context.settings(voyageRerankerSchema), context);
    case 'jina':
      return overHttp(JinaRerankClient, context.settings(jinaRerankerSchema), context);
    case 'tei':
      return overHttp(TeiRerankClient, context.settings(teiRerankerSchema), context);
    case 'amazon-bedrock': {
      const settings = context.settings(bedrockRerankerSchema);
      const { BedrockRerankClient } = await import('../bedrock/bedrock-rerank-client.js');
      const client = new BedrockRerankClient(settings, context.guard());
      return new ProviderReranker(client, context.calls('bedrock', settings));
    }
    default:
      throw unknownProvider(definition);
  }
}

function overHttp<Settings extends { readonly max_retry_interval_seconds: number }>(
  Client: new (settings: Settings, guard: EgressGuard) => RerankClient,
  settings: Settings,
  context: BuildContext,
): Reranker {
  return new ProviderReranker(new Client(settings, context.guard()), context.calls('http', settings));
}
