import { AppError } from '@loci/contracts';
import { countedUsage } from '../calls/counted-usage.js';
import { ProviderFailure } from '../calls/provider-failure.js';
import { type CallOptions, type ProviderCalls } from '../calls/provider-calls.js';
import { Embedder, type EmbedInputType, type EmbedOptions } from '../embedder.js';
import { inBatches } from './batches.js';
import { type EmbeddingClient } from './embedding-client.js';
import { fingerprintOf, type VectorIdentity } from './fingerprint.js';
import { inHalves, splitEvenly } from './split-text.js';
import { checkVectors, unitAverage } from './vectors.js';

/** A text this short that a provider does not read is not what is wrong. */
const MIN_HALVED_LENGTH = 100;

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
    const options = { signal, isUrgent: priority !== 'index' };
    const replies = await Promise.all(
      inBatches(parts.flat(), this.client.batchSize, this.client.maxBatchLength).map((batch) =>
        this.embedFitting(batch, inputType, options),
      ),
    );
    const vectors = replies.flat().values();
    return parts.map((own) => unitAverage(own.flatMap(() => vectors.next().value ?? [])));
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  /**
   * A list of vectors per text: what the provider does not read at once goes in halves, as texts and their parts are counted in
   * characters, and providers count tokens, of which some scripts take several for each. Half by half, so that a provider that
   * refuses whatever it is given is asked a few times.
   */
  private async embedFitting(
    batch: readonly string[],
    inputType: EmbedInputType,
    options: CallOptions,
  ): Promise<number[][][]> {
    try {
      return await this.calls.run((attempt) => this.embedBatch(batch, inputType, attempt), options);
    } catch (error) {
      const [text = '', ...others] = batch;
      const isAlone = others.length === 0;
      if (!isTooLong(error) || (isAlone && text.length <= MIN_HALVED_LENGTH)) throw error;
      if (isAlone) return [(await this.embedFitting(inHalves(text), inputType, options)).flat()];
      const middle = Math.ceil(batch.length / 2);
      const before = await this.embedFitting(batch.slice(0, middle), inputType, options);
      return [...before, ...(await this.embedFitting(batch.slice(middle), inputType, options))];
    }
  }

  /** A list of one vector per text. */
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

const isTooLong = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'model_input_too_long';

async function learnDimensions(client: EmbeddingClient, calls: ProviderCalls): Promise<number> {
  return calls.run(async (signal) => {
    const { vectors } = await client.embed(['dimensions'], 'document', signal);
    const [vector = []] = checkVectors(vectors, 1);
    return vector.length;
  });
}
