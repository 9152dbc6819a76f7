import { QdrantClient, type Schemas } from '@qdrant/js-client-rest';
import { inChildSpan, SpanKind } from '@loci/platform';
import { hasId, hasTenant, type QdrantFilter } from '../filters/condition.js';
import {
  type StoredPoint,
  type TenantPoints,
  type VectorHit,
  VectorIndex,
  type VectorHits,
  type VectorQuery,
} from '../vector-index.js';
import { speaksForCluster } from './cluster-state.js';
import { type CollectionSettings, ensureCollection } from './ensure-collection.js';
import { JsonPosts } from './json-posts.js';
import { inRequests, toPointStruct } from './point-struct.js';
import { isClosedUnanswered, isPointMissing, toVectorIndexError } from './qdrant-errors.js';
import { hitsOf, legsOf, similarityTo, toHits } from './search-legs.js';
import { STORED_POINT_KEYS, toStoredPoint } from './stored-point.js';
import { upsertGuard } from './upsert-guard.js';

export interface QdrantVectorIndexOptions extends CollectionSettings {
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** What the collection is for, such as `episodes`; its name is this and the fingerprint. */
  readonly prefix: string;
  /** Of the embedder whose vectors these are. */
  readonly fingerprint: string;
  /** Nodes of the Qdrant cluster; default 1, a single node. */
  readonly peers?: number | undefined;
  /** Of every read. Default 2000. */
  readonly readTimeoutMs?: number;
  /** Of every write, which lasts until it is applied. Default 15000. */
  readonly writeTimeoutMs?: number;
}

/** Vectors in one Qdrant collection (server 1.16 or newer), shared by all tenants. */
export class QdrantVectorIndex extends VectorIndex {
  readonly collection: string;
  readonly #reader: QdrantClient;
  readonly #writer: QdrantClient;
  readonly #searches: JsonPosts;

  constructor(private readonly options: QdrantVectorIndexOptions) {
    super();
    const { prefix, fingerprint, readTimeoutMs = 2000, writeTimeoutMs = 15_000 } = options;
    this.collection = `${prefix}_${fingerprint}`;
    this.#reader = connect(options, readTimeoutMs);
    this.#writer = connect(options, writeTimeoutMs);
    this.#searches = new JsonPosts({
      url: options.url,
      headers: headersOf(options),
      timeoutMs: readTimeoutMs,
    });
  }

  async ensureCollection(): Promise<{ created: boolean }> {
    return call('ensure_collection', () => ensureCollection(this.#writer, this.collection, this.options));
  }

  async upsertAll(given: readonly TenantPoints[]): Promise<void> {
    const all = given.flatMap(({ tenant, points }) => points.map((point) => ({ ...point, tenant })));
    for (const request of inRequests(all)) {
      const body = {
        points: request.map((point) => toPointStruct(point.tenant, point)),
        update_filter: upsertGuard(request),
      };
      await call('upsert', async () => {
        assertApplied(await this.#writer.upsert(this.collection, { ...body, wait: true }));
      });
    }
  }

  async remove(tenant: string, ids: readonly string[]): Promise<void> {
    await this.#delete({ must: [hasTenant(tenant), hasId(ids)] });
  }

  async removeTenant(tenant: string): Promise<void> {
    await this.#delete({ must: [hasTenant(tenant)] });
  }

  async count(tenant: string): Promise<number> {
    const filter = { must: [hasTenant(tenant)] };
    return call(
      'count',
      async () => (await this.#reader.count(this.collection, { filter, exact: true })).count,
    );
  }

  async exists(): Promise<boolean> {
    return call('exists', async () => (await this.#reader.collectionExists(this.collection)).exists);
  }

  async search(tenant: string, query: VectorQuery): Promise<VectorHits> {
    const legs = legsOf(tenant, query);
    const searches = legs.map(({ request }) => request);
    const found = await call('query', () => this.#searches.post(`${this.#points}/query/batch`, { searches }));
    return hitsOf(legs, (found as { result: Schemas['QueryResponse'][] }).result);
  }

  async similarTo(tenant: string, id: string, others: readonly string[]): Promise<VectorHit[]> {
    if (others.length === 0) return [];
    const found = await call('similar', () =>
      this.#searches
        .post(`${this.#points}/query`, similarityTo(tenant, id, others))
        .catch((error: unknown) => {
          if (isPointMissing(error)) return undefined;
          throw error;
        }),
    );
    return found === undefined ? [] : toHits((found as { result: Schemas['QueryResponse'] }).result);
  }

  get #points(): string {
    return `/collections/${encodeURIComponent(this.collection)}/points`;
  }

  async versions(ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const { points } = await this.#scroll({ filter: { must: [hasId(ids)] }, limit: ids.length });
    return new Map(points.map(({ id, version }) => [id, version]));
  }

  async scroll({ after, limit }: { after?: string | undefined; limit: number }): Promise<{
    points: StoredPoint[];
    next?: string;
  }> {
    return this.#scroll({ limit, ...(after !== undefined && { offset: after }) });
  }

  async isReachable(): Promise<boolean> {
    return this.#reader
      .api()
      .readyz({})
      .then(
        () => true,
        () => false,
      );
  }

  async isLossCredible(): Promise<boolean> {
    const { peers = 1 } = this.options;
    return call('cluster_status', async () => {
      const { data } = await this.#reader.api().clusterStatus({});
      return data.result !== undefined && speaksForCluster(data.result, peers);
    });
  }

  async #delete(filter: QdrantFilter): Promise<void> {
    await call('delete', async () => {
      assertApplied(await this.#writer.delete(this.collection, { filter, wait: true }));
    });
  }

  async #scroll(page: {
    filter?: QdrantFilter;
    offset?: string;
    limit: number;
  }): Promise<{ points: StoredPoint[]; next?: string }> {
    const { points, next_page_offset: next } = await call('scroll', () =>
      this.#reader.scroll(this.collection, { ...page, with_payload: STORED_POINT_KEYS }),
    );
    return { points: points.map(toStoredPoint), ...(typeof next === 'string' && { next }) };
  }
}

const connect = (options: QdrantVectorIndexOptions, timeout: number): QdrantClient =>
  new QdrantClient({ url: options.url, timeout, checkCompatibility: false, headers: headersOf(options) });

/**
 * The key goes as a header: given as `apiKey`, the client switches to https and prints a warning otherwise.
 * Uncompressed, because Qdrant sends compressed answers in pieces that wait for each other's delayed
 * acknowledgement: 44 ms instead of 1.2 ms for 100 hits on the same machine (server 1.16.3).
 */
const headersOf = ({ apiKey }: QdrantVectorIndexOptions): Record<string, string> => ({
  'accept-encoding': 'identity',
  ...(apiKey && { 'api-key': apiKey }),
});

/**
 * A request is sent again, once, when the server closed the connection without an answer: it does so to connections that
 * were idle, and a busy process notices late. Every operation may be carried out twice.
 */
function call<Value>(name: string, operation: () => Promise<Value>): Promise<Value> {
  const attributes = { 'db.system.name': 'qdrant', 'db.operation.name': name };
  return inChildSpan(`qdrant ${name}`, { kind: SpanKind.CLIENT, attributes }, async () => {
    try {
      return await operation().catch((error: unknown) => {
        if (isClosedUnanswered(error)) return operation();
        throw error;
      });
    } catch (error) {
      throw toVectorIndexError(error);
    }
  });
}

function assertApplied({ status }: Schemas['UpdateResult']): void {
  if (status !== 'completed') throw new Error(`Qdrant did not apply the write yet: ${status}`);
}
