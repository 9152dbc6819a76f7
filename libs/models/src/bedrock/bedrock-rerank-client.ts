import { BedrockAgentRuntimeClient, RerankCommand } from '@aws-sdk/client-bedrock-agent-runtime';
import { type DocumentType } from '@smithy/types';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type RerankClient, type RerankScore, scoresIn } from '../rerankers/rerank-client.js';
import { bedrockConnection } from './bedrock-connection.js';
import { type BedrockRerankerSettings } from './bedrock-settings.js';

/** The Rerank API of Amazon Bedrock. */
export class BedrockRerankClient implements RerankClient {
  private readonly client: BedrockAgentRuntimeClient;

  constructor(
    private readonly settings: BedrockRerankerSettings,
    private readonly guard: EgressGuard,
  ) {
    this.client = new BedrockAgentRuntimeClient(bedrockConnection(settings, guard));
  }

  async rerank(query: string, candidates: readonly string[], signal: AbortSignal): Promise<RerankScore[]> {
    const { additional_model_request_fields: additional } = this.settings;
    const command = new RerankCommand({
      queries: [{ type: 'TEXT', textQuery: { text: query } }],
      sources: candidates.map((text) => ({
        type: 'INLINE',
        inlineDocumentSource: { type: 'TEXT', textDocument: { text } },
      })),
      rerankingConfiguration: {
        type: 'BEDROCK_RERANKING_MODEL',
        bedrockRerankingConfiguration: {
          numberOfResults: candidates.length,
          modelConfiguration: {
            modelArn: this.modelArn(),
            ...(additional && {
              additionalModelRequestFields: JSON.parse(JSON.stringify(additional)) as Record<
                string,
                DocumentType
              >,
            }),
          },
        },
      },
    });
    const { results } = await this.client.send(command, { abortSignal: signal });
    return scoresIn(results, 'relevanceScore');
  }

  async close(): Promise<void> {
    this.client.destroy();
    await this.guard.close();
  }

  private modelArn(): string {
    const { model_id: model, region } = this.settings;
    return model.startsWith('arn:') ? model : `arn:aws:bedrock:${region}::foundation-model/${model}`;
  }
}
