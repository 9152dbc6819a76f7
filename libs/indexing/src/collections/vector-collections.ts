import { QdrantVectorIndex, type QdrantVectorIndexOptions, type VectorIndex } from '@loci/vectors';

/** What decides whether vectors can be compared: those of one fingerprint share a collection, over all owners. */
export interface Collection {
  readonly fingerprint: string;
  readonly dimensions: number;
}

/** Where the collections are, what their names begin with, and how new ones are made. */
export type VectorServer = Pick<
  QdrantVectorIndexOptions,
  'url' | 'apiKey' | 'prefix' | 'peers' | 'replicationFactor' | 'shardNumber' | 'quantized'
>;

/** The vector indexes of a service: one for each embedder that its contents are, or were, embedded by. */
export class VectorCollections {
  private readonly opened = new Map<string, VectorIndex>();

  constructor(private readonly server: VectorServer) {}

  get({ fingerprint, dimensions }: Collection): VectorIndex {
    const known = this.opened.get(fingerprint);
    if (known) return known;
    const opened = new QdrantVectorIndex({ ...this.server, fingerprint, dimensions });
    this.opened.set(fingerprint, opened);
    return opened;
  }

  /** Whether the server would answer now; never throws. */
  isReachable(): Promise<boolean> {
    const [any] = this.opened.values();
    return (any ?? this.get({ fingerprint: 'none', dimensions: 1 })).isReachable();
  }
}
