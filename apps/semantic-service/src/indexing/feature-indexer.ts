import { VectorIndex } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { featureText } from '../features/feature.js';
import { FeatureEmbedder } from '../vectors/feature-embedder.js';
import { type IndexedFeature, toPoint } from './feature-points.js';
import { IndexStateRepository } from './index-state.repository.js';

/** Features read, embedded, upserted and marked together: bounds memory, and what a crash makes us do again. */
const STEP = 128;

/**
 * Brings the vectors of named features in line with the table of features. Safe to repeat, to interrupt at any line and to
 * run side by side with itself: a point's id is its feature's, and its version grows with every change.
 */
@Injectable()
export class FeatureIndexer {
  constructor(
    private readonly embedder: FeatureEmbedder,
    private readonly vectors: VectorIndex,
    private readonly state: IndexStateRepository,
  ) {}

  /** Embeds those whose vector is out of date, removes the vectors and tombstones of those that are gone. */
  async bringInLine(setUid: string, uids: readonly string[]): Promise<void> {
    for (let start = 0; start < uids.length; start += STEP) {
      const { wanted, gone } = await this.state.sort(setUid, uids.slice(start, start + STEP));
      if (gone.length > 0) {
        await this.vectors.remove(setUid, gone);
        await this.state.dropTombstones(setUid, gone);
      }
      await this.index(setUid, wanted, 'index');
    }
  }

  /** @param priority of the embedding: `query` when a request waits for it */
  async index(
    setUid: string,
    features: readonly IndexedFeature[],
    priority: 'query' | 'index',
  ): Promise<void> {
    if (features.length === 0) return;
    const dense = await this.embedder.embed(features.map(featureText), { priority });
    const points = features.map((feature, place) => {
      const vector = dense[place];
      if (!vector) throw new Error(`The embedder gave ${dense.length} vectors for ${features.length} texts.`);
      return toPoint(feature, vector);
    });
    await this.vectors.upsert(setUid, points);
    const goneMeanwhile = await this.state.markIndexed(setUid, features);
    if (goneMeanwhile.length > 0) await this.vectors.remove(setUid, goneMeanwhile);
  }
}
