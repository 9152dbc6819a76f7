import { unavailable } from '@loci/contracts';
import { type EmbedOptions } from '@loci/models';
import { type VectorIndex } from '@loci/vectors';
import { type Embedders } from './embedders.js';
import { type IndexVersion } from './index-version.js';
import { type QueryVectors } from './query-vectors.js';

/** Who waits for the vectors, and what the texts are. */
export type TextsToEmbed = Required<Pick<EmbedOptions, 'priority' | 'inputType'>>;

/** A request does not wait longer than this for an embedder: it answers by words instead. */
const QUERY_PATIENCE_MS = 3_000;

/** An index version with what reads and fills it. */
export class OpenIndexVersion {
  constructor(
    readonly indexVersion: IndexVersion,
    readonly vectors: VectorIndex,
    private readonly embedders: Pick<Embedders, 'named'>,
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
    if (options.priority === 'index') return this.embedWith(texts, options);
    const patience = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const tooSlow = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = this.unavailable('takes too long');
        patience.abort(error);
        reject(error);
      }, QUERY_PATIENCE_MS);
    });
    try {
      return await Promise.race([this.embedWith(texts, { ...options, signal: patience.signal }), tooSlow]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async embedWith(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    const embedder = await this.embedders.named(this.indexVersion.embedder);
    if (embedder.fingerprint !== this.indexVersion.fingerprint) {
      throw this.unavailable('is another model now than the one whose vectors are searched');
    }
    return embedder.embed(texts, options);
  }

  private unavailable(why: string): Error {
    return unavailable('embedder_unavailable', `Embedder '${this.indexVersion.embedder}' ${why}.`, {
      retryAfterSeconds: 2,
    });
  }
}
