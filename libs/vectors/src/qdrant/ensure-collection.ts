import { type QdrantClient, type Schemas } from '@qdrant/js-client-rest';
import { PAYLOAD_KEYS } from '../filters/payload-keys.js';
import { DENSE, SPARSE } from './point-struct.js';
import { isConflict } from './qdrant-errors.js';

export interface CollectionSettings {
  readonly dimensions: number;
  /** Copies of every shard, in a cluster. Default 1. */
  readonly replicationFactor?: number | undefined;
  /** Default 1 per node. */
  readonly shardNumber?: number | undefined;
  /** Search on int8 copies of the dense vectors, a quarter of the memory, and rescore on the originals. */
  readonly quantized?: boolean;
}

/**
 * No graphs: a search compares all points of its tenant, which is exact and quick enough up to hundreds of thousands
 * (docs/decisions/0017-searches-are-exact.md).
 */
const HNSW = { m: 0, payload_m: 0 };

const INDEXES: Readonly<Record<string, Schemas['PayloadSchemaParams']>> = {
  [PAYLOAD_KEYS.tenant]: { type: 'keyword', is_tenant: true },
  [PAYLOAD_KEYS.tokens]: { type: 'keyword', enable_hnsw: false },
  [PAYLOAD_KEYS.createdAt]: { type: 'datetime', enable_hnsw: false },
};

/**
 * How rare a word is, a query says. Earlier versions had Qdrant multiply by an IDF, which it counts over all tenants of a shard.
 */
const NO_IDF = { [SPARSE]: { modifier: 'none' } } as const;

/** Creates the collection and its indexes as far as they are missing, also after an earlier attempt that did not end. */
export async function ensureCollection(
  client: QdrantClient,
  name: string,
  settings: CollectionSettings,
): Promise<{ created: boolean }> {
  const { exists } = await client.collectionExists(name);
  const created = !exists && (await create(client, name, settings));
  const { payload_schema: found, config } = await client.getCollection(name);
  if (config.params.sparse_vectors?.[SPARSE]?.modifier === 'idf') {
    await client.updateCollection(name, { sparse_vectors: NO_IDF });
  }
  for (const [field_name, field_schema] of Object.entries(INDEXES)) {
    if (!(field_name in found))
      await client.createPayloadIndex(name, { field_name, field_schema, wait: true });
  }
  return { created };
}

/** @returns false when another process was first */
async function create(client: QdrantClient, name: string, settings: CollectionSettings): Promise<boolean> {
  const { dimensions, replicationFactor, shardNumber, quantized = false } = settings;
  try {
    return await client.createCollection(name, {
      vectors: { [DENSE]: { size: dimensions, distance: 'Cosine' } },
      sparse_vectors: NO_IDF,
      hnsw_config: HNSW,
      ...(quantized && { quantization_config: { scalar: { type: 'int8', always_ram: true } } }),
      ...(replicationFactor !== undefined && { replication_factor: replicationFactor }),
      ...(shardNumber !== undefined && { shard_number: shardNumber }),
    });
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}
