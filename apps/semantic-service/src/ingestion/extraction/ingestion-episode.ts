import { type Instant } from '@loci/contracts';
import { type Citation } from '../../features/feature.js';

/** A message as extraction reads it. */
export interface IngestionEpisode extends Citation {
  readonly addedAt: Instant;
  readonly content: string;
}
