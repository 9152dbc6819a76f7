import { Embedder } from '@loci/models';

/** What embeds features, and the queries for them. Also the injection token. */
export abstract class FeatureEmbedder extends Embedder {}
