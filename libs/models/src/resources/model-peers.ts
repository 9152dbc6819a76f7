import { type Embedder } from '../embedder.js';
import { type Reranker } from '../reranker.js';

/** The registered models that a reranker is made of, by their names in the registry. */
export interface ModelPeers {
  /** @throws AppError when there is no embedder of this name or it can't be built */
  embedder(name: string): Promise<Embedder>;
  /** @throws AppError when there is no reranker of this name or it can't be built */
  reranker(name: string): Promise<Reranker>;
}
