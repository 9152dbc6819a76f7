import { type Embedder } from '../embedder.js';
import { Reranker, type RerankOptions } from '../reranker.js';
import { BUILT_IN_WEIGHT } from './reranker-weights.js';

/** Cosine similarity of query and candidate, by a registered embedder. Its errors come out as they are. */
export class EmbedderReranker extends Reranker {
  readonly weight = BUILT_IN_WEIGHT;

  constructor(
    readonly name: string,
    private readonly embedder: Embedder,
  ) {
    super();
  }

  async score(
    query: string,
    candidates: readonly string[],
    { signal }: RerankOptions = {},
  ): Promise<number[]> {
    if (candidates.length === 0) return [];
    const options = { priority: 'query', ...(signal && { signal }) } as const;
    const [[asked = new Float32Array()], vectors] = await Promise.all([
      this.embedder.embed([query], { ...options, inputType: 'query' }),
      this.embedder.embed(candidates, { ...options, inputType: 'document' }),
    ]);
    return vectors.map((vector) => dot(asked, vector));
  }

  /** The embedder belongs to the registry. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, dimension) => sum + value * (b[dimension] ?? 0), 0);
