import { type Episode, type Filter, type Loci, LociError, type Memory, where } from '@loci/client';
import {
  BaseStore,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint';
import { fulfils } from './fulfils.js';
import { fits, shortened } from './namespaces.js';

export interface LociStoreOptions {
  readonly loci: Loci;
  readonly org: string;
  /** Of the store alone: it is made with the first item, without short-term memory. */
  readonly project: string;
}

/** What a search looks through at most; the rest is worse. */
const MAX_CANDIDATES = 1_000;
/** Where so many are too many for one answer, or for the deployment. */
const CANDIDATES_PER_HIT = 10;
const DEFAULT_LIMIT = 10;
const MAX_LEVELS = 50;

/**
 * A store of LangGraph: items with a namespace and a key, found again by meaning and by words. An item is one message of
 * its project, with its value as JSON.
 * @example new LociStore({ loci, org: 'acme', project: 'graph-store' })
 */
export class LociStore extends BaseStore {
  private readonly memory: Memory;
  private prepared: Promise<void> | undefined;

  constructor(private readonly options: LociStoreOptions) {
    super();
    const { loci, org, project } = options;
    this.memory = loci.memory({ org, project });
  }

  /** Reads see what was there before the batch; of what puts one item, the last counts. */
  override async batch<Operations extends Operation[]>(
    operations: Operations,
  ): Promise<OperationResults<Operations>> {
    const results = await Promise.all(operations.map((operation) => this.answer(operation)));
    const puts = operations.filter((operation) => 'value' in operation);
    const last = new Map(puts.map((put) => [JSON.stringify([put.namespace, put.key]), put]));
    for (const put of last.values()) await this.replace(put);
    return results as OperationResults<Operations>;
  }

  private answer(operation: Operation): Promise<unknown> {
    if ('namespacePrefix' in operation) return this.find(operation);
    if ('value' in operation) return Promise.resolve();
    if ('key' in operation) return this.read(operation.namespace, operation.key);
    return this.namespaces(operation);
  }

  private async read(namespace: string[], key: string): Promise<Item | null> {
    const episode = (await this.stored(at(namespace, key))).at(-1);
    return episode ? toItem(episode) : null;
  }

  /** The new one is there before the old one goes: no reader misses both. */
  private async replace({ namespace, key, value }: PutOperation): Promise<void> {
    const old = await this.stored(at(namespace, key));
    if (value !== null) {
      await this.preparedOnce();
      const created = old[0] ? createdOf(old[0]) : new Date();
      const names = { ...levelsOf(namespace), ...depthOf(namespace), store_key: key };
      const metadata = { ...names, store_created_at: created.toISOString() };
      await this.memory.add(
        { content: JSON.stringify(value), role: 'store', metadata },
        { kinds: ['episode'] },
      );
    }
    await Promise.all(old.map((episode) => this.forgetOne(episode)));
  }

  /** Another writer may have been faster. */
  private async forgetOne(episode: Episode): Promise<void> {
    try {
      await this.memory.forget(episode);
    } catch (error) {
      if (!(error instanceof LociError) || error.code !== 'memory_not_found') throw error;
    }
  }

  private async find(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, query, filter, limit = DEFAULT_LIMIT, offset = 0 } = operation;
    const inside = below(namespacePrefix);
    const episodes = query
      ? await this.ranked(query, inside, limit + offset, filter)
      : await this.stored(inside);
    return newestOfEach(episodes)
      .map((episode) => ({
        ...toItem(episode),
        ...(episode.score !== undefined && { score: episode.score }),
      }))
      .filter(({ value }) => fulfils(value, filter))
      .slice(offset, offset + limit);
  }

  private async ranked(
    query: string,
    filter: Filter,
    hits: number,
    condition: Record<string, unknown> | undefined,
  ): Promise<Episode[]> {
    if (!condition) return this.hits(query, filter, hits);
    try {
      return await this.hits(query, filter, MAX_CANDIDATES);
    } catch (error) {
      if (!isTooMany(error)) throw error;
      return this.hits(query, filter, hits * CANDIDATES_PER_HIT);
    }
  }

  private async hits(query: string, filter: Filter, count: number): Promise<Episode[]> {
    const topK = Math.min(MAX_CANDIDATES, Math.max(1, count));
    const { episodes, recent } = await this.memory.search(query, { topK, filter, kinds: ['episode'] });
    return [...episodes, ...recent];
  }

  private async namespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset } = operation;
    const all = new Map<string, string[]>();
    for (const episode of await this.stored(below([]))) {
      const namespace = namespaceOf(episode);
      if (!matchConditions.every((condition) => fits(namespace, condition))) continue;
      const shown = shortened(namespace, maxDepth);
      all.set(JSON.stringify(shown), shown);
    }
    return [...all.entries()]
      .sort(([a], [b]) => Number(a > b) - Number(a < b))
      .slice(offset, offset + limit)
      .map(([, namespace]) => namespace);
  }

  private async stored(filter: Filter): Promise<Episode[]> {
    const episodes: Episode[] = [];
    for await (const episode of this.memory.list({ filter, kinds: ['episode'] })) episodes.push(episode);
    return episodes;
  }

  /** What fails is tried again with the next item. */
  private preparedOnce(): Promise<void> {
    this.prepared ??= this.prepare().catch((error: unknown) => {
      this.prepared = undefined;
      throw error;
    });
    return this.prepared;
  }

  /** Every item competes by its score: short-term memory, which is not ranked, is off. */
  private async prepare(): Promise<void> {
    const { loci, org, project } = this.options;
    await loci.projects
      .create({ org, project, description: 'A store of LangGraph.' })
      .catch((error: unknown) => {
        if (!(error instanceof LociError) || error.code !== 'project_exists') throw error;
      });
    const body = { org_id: org, project_id: project, enabled: false };
    const { error, response } = await loci.api.POST('/api/v2/memory/episodic/short_term/config', { body });
    if (!response.ok) throw new Error(`The store cannot be prepared: ${JSON.stringify(error)}`);
  }
}

/** A level for each part, so that a prefix is a condition on some of them. */
function levelsOf(namespace: readonly string[]): Record<string, string> {
  if (namespace.length > MAX_LEVELS) throw new TypeError(`A namespace has at most ${MAX_LEVELS} parts.`);
  return Object.fromEntries(namespace.map((part, level) => [`store_ns_${level}`, part]));
}

const isTooMany = (error: unknown): boolean =>
  error instanceof LociError &&
  (error.code === 'body_too_large' || error.problems.some(({ loc }) => loc.at(-1) === 'top_k'));

const depthOf = (namespace: readonly string[]): { readonly store_depth: string } => ({
  store_depth: String(namespace.length),
});

const at = (namespace: readonly string[], key: string): Filter =>
  where({ metadata: { ...levelsOf(namespace), ...depthOf(namespace), store_key: key } });

function below(prefix: readonly string[]): Filter {
  return where({ metadata: { ...levelsOf(prefix), store_key: { exists: true } } });
}

const namespaceOf = ({ metadata }: Episode): string[] =>
  Array.from({ length: Number(metadata['store_depth']) }, (_, level) => metadata[`store_ns_${level}`] ?? '');

const createdOf = ({ metadata, at: addedAt }: Episode): Date =>
  new Date(metadata['store_created_at'] ?? addedAt);

const toItem = (episode: Episode): Item => ({
  namespace: namespaceOf(episode),
  key: episode.metadata['store_key'] ?? '',
  value: JSON.parse(episode.content) as Record<string, unknown>,
  createdAt: createdOf(episode),
  updatedAt: episode.at,
});

/** While an item is being replaced, both are there for a moment. */
function newestOfEach(episodes: readonly Episode[]): Episode[] {
  const newest = new Map<string, Episode>();
  for (const episode of episodes) {
    const name = JSON.stringify([namespaceOf(episode), episode.metadata['store_key']]);
    const known = newest.get(name);
    if (!known || episode.at > known.at) newest.set(name, episode);
  }
  return [...newest.values()];
}
