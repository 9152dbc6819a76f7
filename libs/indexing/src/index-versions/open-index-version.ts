import { type EmbedInputType, type EmbedOptions } from '@loci/models';
import { inBackground } from '@loci/platform';
import { type VectorIndex } from '@loci/vectors';
import { type Embedders } from './embedders.js';
import { type IndexVersion } from './index-version.js';
import { embedderUnavailable } from './patience.js';
import { type QueryVectors } from './query-vectors.js';

/** Who waits for the vectors, and what the texts are. */
export type TextsToEmbed = Required<Pick<EmbedOptions, 'priority' | 'inputType'>>;

/** An index version with what reads and fills it. */
export class OpenIndexVersion {
  constructor(
    readonly indexVersion: IndexVersion,
    readonly vectors: VectorIndex,
    private readonly embedders: Pick<Embedders, 'named' | 'waitFor' | 'waitForRows'>,
    private readonly queryVectors: Pick<QueryVectors, 'find'>,
  ) {}

  /** As `embed`, of a query that a request waits for. */
  embedQuery(query: string): Promise<Float32Array> {
    return this.queryVectors.find(this.indexVersion.fingerprint, query, async () => {
      const [vector] = await this.embed([query], { priority: 'query', inputType: 'query' });
      if (!vector) throw new Error('The embedder gave no vector for a query.');
      return vector;
    });
  }

  /**
   * One vector per text, in order, comparable with those of the index version.
   * @throws AppError `embedder_unavailable`, also when the name stands for another model by now; `resource_not_ready`
   */
  async embed(texts: readonly string[], options: TextsToEmbed): Promise<Float32Array[]> {
    const { embedder } = this.indexVersion;
    const work = (signal?: AbortSignal): Promise<Float32Array[]> =>
      this.embedWith(texts, { ...options, ...(signal && { signal }) });
    switch (options.priority) {
      case 'query':
        return this.embedders.waitFor(embedder, work);
      case 'unindexed':
        return this.embedders.waitForRows(embedder, work);
      case 'index':
        return work();
    }
  }

  /** Of the embedder. */
  get fingerprint(): string {
    return this.indexVersion.fingerprint;
  }

  /** As `embed`, of texts that all requests share: it does not end with the one that came first. */
  embedForAll(texts: readonly string[], inputType: EmbedInputType): Promise<Float32Array[]> {
    return inBackground(() => this.embed(texts, { priority: 'query', inputType }));
  }

  private async embedWith(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    const embedder = await this.embedders.named(this.indexVersion.embedder);
    if (embedder.fingerprint !== this.indexVersion.fingerprint) {
      throw embedderUnavailable(
        this.indexVersion.embedder,
        'is another model now than the one whose vectors are searched',
      );
    }
    return embedder.embed(texts, options);
  }
}
