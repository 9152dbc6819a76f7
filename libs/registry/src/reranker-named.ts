import { type RerankerSource } from '@loci/models';
import { type Registry } from './registry.js';

/** Keeps the sequence of the hits, so it need not be asked. */
const IDENTITY = 'identity';

/** @returns undefined when hits stay in their order; otherwise what gets the reranker, as `Registry.reranker` */
export const rerankerNamed = (
  registry: Pick<Registry, 'reranker'>,
  name: string,
): RerankerSource | undefined =>
  name === '' || name === IDENTITY ? undefined : () => registry.reranker(name);
