import { IndexedContent, type IndexVersion } from '@loci/indexing';
import { type VectorPoint } from '@loci/vectors';
import { Injectable } from '@nestjs/common';
import { featureText } from '../features/feature.js';
import { type IndexedFeature, toPoint } from './feature-points.js';
import { IndexStateRepository } from './index-state.repository.js';

/** Features as what vectors are kept of. */
@Injectable()
export class IndexedFeatures extends IndexedContent<IndexedFeature> {
  constructor(private readonly state: IndexStateRepository) {
    super();
  }

  override textToEmbed(feature: IndexedFeature): string {
    return featureText(feature);
  }

  override toPoint(feature: IndexedFeature, dense: ArrayLike<number>): VectorPoint {
    return toPoint(feature, dense);
  }

  override sort(
    indexVersion: IndexVersion,
    uids: readonly string[],
  ): Promise<{ wanted: IndexedFeature[]; gone: string[] }> {
    return this.state.sort(indexVersion, uids);
  }

  override present(indexVersion: IndexVersion, uids: readonly string[]): Promise<IndexedFeature[]> {
    return this.state.present(indexVersion, uids);
  }

  override missing(indexVersion: IndexVersion, limit: number): Promise<IndexedFeature[]> {
    return this.state.missing(indexVersion, limit);
  }

  override markIndexed(indexVersion: IndexVersion, features: readonly IndexedFeature[]): Promise<string[]> {
    return this.state.markIndexed(indexVersion, features);
  }

  override async textsToMatch(setUid: string, limit: number): Promise<string[]> {
    return (await this.state.counted(setUid, limit)).map(featureText);
  }

  override dropTombstones(setUid: string, uids: readonly string[]): Promise<void> {
    return this.state.dropTombstones(setUid, uids);
  }
}
