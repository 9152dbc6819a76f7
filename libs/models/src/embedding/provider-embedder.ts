import { countedUsage } from '../calls/counted-usage.js';
import { ProviderFailure } from '../calls/provider-failure.js';
import { type ProviderCalls } from '../calls/provider-calls.js';
import { Embedder, type EmbedInputType, type EmbedOptions } from '../embedder.js';
import { inBatches } from './batches.js';
import { type EmbeddingClient } from './embedding-client.js';
import { fingerprintOf, type VectorIdentity } from './fingerprint.js';
import { splitEvenly } from './split-text.js';
import { checkVectors, unitAverage } from './vectors.js';

/** An embedder behind any provider. */
export class ProviderEmbedder extends Embedder {
  readonly fingerprint: string;

  private constructor(
    private readonly client: EmbeddingClient,
    private readonly calls: ProviderCalls,
    identity: VectorIdentity,
    readonly dimensions: number,
  ) {
    super();
    this.fingerprint = fingerprintOf({ ...identity, maxInputLength: client.maxInputLength }, dimensions);
  }

  /**
   * @param dimensions undefined: learned by a first request
   * @throws AppError `embedder_unavailable` when they can't be learned
   */
  static async create(
    client: EmbeddingClient,
    calls: ProviderCalls,
    identity: VectorIdentity,
    dimensions: number | undefined,
  ): Promise<ProviderEmbedder> {
    try {
      const known = dimensions ?? (await learnDimensions(client, calls));
      return new ProviderEmbedder(client, calls, identity, known);
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  async embed(
    texts: readonly string[],
    { priority, signal, inputType = 'document' }: EmbedOptions = {},
  ): Promise<Float32Array[]> {
    const parts = texts.map((text) => splitEvenly(text, this.client.maxInputLength));
    const options = { signal, isUrgent: priority === 'query' };
    const replies = await Promise.all(
      inBatches(parts.flat(), this.client.batchSize, this.client.maxBatchLength).map((batch) =>
        this.calls.run((attempt) => this.embedBatch(batch, inputType, attempt), options),
      ),
    );
    const vectors = replies.flat().values();
    return parts.map((own) => unitAverage(own.flatMap(() => vectors.next().value ?? [])));
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  /** A list of one vector per text, so that the lists can be strung together. */
  private async embedBatch(
    batch: readonly string[],
    inputType: EmbedInputType,
    signal: AbortSignal,
  ): Promise<number[][][]> {
    const { vectors, inputTokens } = await this.client.embed(batch, inputType, signal);
    this.calls.used(countedUsage({ inputTokens, outputTokens: 0 }));
    return checkVectors(vectors, batch.length).map((vector) => {
      if (vector.length === this.dimensions) return [vector];
      throw new ProviderFailure(
        'misconfigured',
        `gives vectors of ${vector.length} dimensions instead of ${this.dimensions}; set dimensions to ${vector.length}`,
      );
    });
  }
}

async function learnDimensions(client: EmbeddingClient, calls: ProviderCalls): Promise<number> {
  return calls.run(async (signal) => {
    const { vectors } = await client.embed(['dimensions'], 'document', signal);
    const [vector = []] = checkVectors(vectors, 1);
    return vector.length;
  });
}
