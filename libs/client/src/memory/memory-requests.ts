import { type components } from '../api.generated.js';
import { sentWith, type WriteOptions } from '../call-options.js';
import { type Filter } from '../filters/filter.js';
import { where } from '../filters/where.js';
import { type LociError } from '../errors.js';
import { answered, type LociClient, withHeaders } from '../loci-client.js';
import { type Remembered, toEpisode, toFeature } from './memories.js';
import { KINDS } from './given.js';
import { type Kind, type ListOptions, type SearchOptions } from './memory-options.js';
import { pause } from '../transport/pause.js';
import { allMissing, isMissing, ofPart, partsOf } from './removal.js';
import {
  aboutUserOf,
  both,
  isShared,
  type MemoryScope,
  messagesOf,
  oneOf,
  setMetadataOf,
  type Tenant,
  tenantOf,
} from './scope.js';

type Schemas = components['schemas'];

const DEFAULT_PAGE_SIZE = 500;

/** Between two looks at a job: at first, and at most. */
const LOOK_AFTER_MS = 50;
const LOOK_WITHIN_MS = 2_000;

/** What the API is asked for a scope. Episodes are narrowed by a filter, features by the sets that they are in. */
export class MemoryRequests {
  private readonly tenant: Tenant;

  constructor(
    private readonly api: LociClient,
    private readonly scope: MemoryScope,
  ) {
    this.tenant = tenantOf(scope);
  }

  searchEpisodes(query: string, options: SearchOptions) {
    const filter = both(messagesOf(this.scope), options.filter);
    return this.search(query, 'episodic', options, { ...(filter && { filter: filter.text }) });
  }

  /** @returns undefined when the scope has no features */
  async searchFeatures(query: string, options: SearchOptions) {
    const narrowed = await this.narrowed('feature', options);
    if (narrowed === 'none') return undefined;
    const { filter, set_metadata } = narrowed;
    return this.search(query, 'semantic', options, {
      ...(filter && { filter: filter.text }),
      ...(set_metadata && { set_metadata }),
    });
  }

  private search(
    query: string,
    type: 'episodic' | 'semantic',
    { topK, threshold, expandContext, referenceTime, asOf, signal }: SearchOptions,
    narrowed: { readonly filter?: string; readonly set_metadata?: Record<string, string> },
  ) {
    const body = {
      ...this.tenant,
      query,
      types: [type],
      ...narrowed,
      ...(topK !== undefined && { top_k: topK }),
      ...(threshold !== undefined && { score_threshold: threshold }),
      ...(expandContext !== undefined && { expand_context: expandContext }),
      ...(referenceTime && { reference_time: referenceTime.toISOString() }),
      ...(asOf && { as_of: asOf.toISOString() }),
    };
    return withHeaders(
      this.api.POST('/api/v2/memories/search', {
        body: body,
        ...(signal && { signal }),
      }),
    );
  }

  async *everything({
    kinds = KINDS,
    pageSize = DEFAULT_PAGE_SIZE,
    ...options
  }: ListOptions): AsyncGenerator<Remembered, void, undefined> {
    for (const kind of kinds) {
      const narrowed = await this.narrowed(kind, options);
      if (narrowed === 'none') continue;
      for (let cursor: string | undefined = ''; cursor !== undefined;) {
        const page: Page = await this.page(kind, narrowed, { page_size: pageSize, cursor }, options);
        yield* page.memories;
        cursor = page.next;
      }
    }
  }

  async count(kind: Kind, options: ListOptions): Promise<number> {
    const narrowed = await this.narrowed(kind, options);
    if (narrowed === 'none') return 0;
    const { total } = await this.page(kind, narrowed, { page_size: 0 }, options);
    if (total === undefined) throw tooManyToCount();
    return total;
  }

  /** @returns how many match; `wait`: how many were deleted, when they are in no answer any more */
  async forget(filter: Filter, wait: boolean, options: WriteOptions): Promise<number> {
    const body = { ...this.tenant, filter: (both(messagesOf(this.scope), filter) ?? filter).text };
    const started = await answered(this.api.POST('/api/v2/memories/forget', { body, ...sentWith(options) }));
    const params = { path: { id: started.id }, query: this.tenant };
    const { signal = new AbortController().signal } = options;
    let job = started;
    for (let waitMs = LOOK_AFTER_MS; wait && job.state === 'deleting'; waitMs *= 2) {
      await pause(Math.min(waitMs, LOOK_WITHIN_MS), signal);
      job = await answered(this.api.GET('/api/v2/memories/forget/{id}', { params, signal }));
    }
    return wait ? job.deleted : started.matching;
  }

  /**
   * @returns how many were deleted
   * @throws LociError `memory_not_found` at the end, of all that were not there
   */
  async remove(memories: readonly Remembered[], options: WriteOptions): Promise<number> {
    const failures: LociError[] = [];
    for (const [index, { kind, ids }] of partsOf(memories).entries()) {
      await this.removePart(kind, ids, ofPart(options, index)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
        failures.push(error);
      });
    }
    if (failures.length > 0) throw allMissing(failures);
    return memories.length;
  }

  private async removePart(kind: Kind, ids: string[], options: WriteOptions): Promise<void> {
    const sent = sentWith(options);
    const episodic = { body: { ...this.tenant, episodic_ids: ids }, ...sent };
    const semantic = { body: { ...this.tenant, semantic_ids: ids }, ...sent };
    await answered(
      kind === 'episode'
        ? this.api.POST('/api/v2/memories/episodic/delete', episodic)
        : this.api.POST('/api/v2/memories/semantic/delete', semantic),
    );
  }

  /** What a list of this kind takes to stay in the scope; `none`: the scope has nothing of it. */
  private async narrowed(kind: Kind, { filter, signal }: ListOptions): Promise<Narrowed | 'none'> {
    if (kind === 'episode') return { filter: both(messagesOf(this.scope), filter) };
    const set_metadata = setMetadataOf(this.scope);
    if (!set_metadata) return { filter };
    const { data } = await withHeaders(
      this.api.POST('/api/v2/memories/semantic/set_id/list', {
        body: { ...this.tenant, set_metadata },
        ...(signal && { signal }),
      }),
    );
    const ids = data.sets.map(({ id }) => id).filter((id) => !isShared(id));
    const own = both(
      oneOf(ids.length > 0 ? where({ set_id: ids }) : undefined, aboutUserOf(this.scope)),
      filter,
    );
    return own ? { filter: own, set_metadata } : 'none';
  }

  private async page(
    kind: Kind,
    { filter, set_metadata }: Narrowed,
    position: { readonly page_size: number; readonly cursor?: string },
    { asOf, signal }: ListOptions,
  ): Promise<Page> {
    const body = {
      ...this.tenant,
      type: typeOf(kind),
      ...position,
      ...(filter && { filter: filter.text }),
      ...(set_metadata && { set_metadata }),
      ...(asOf && { as_of: asOf.toISOString() }),
    };
    const { data, headers } = await withHeaders(
      this.api.POST('/api/v2/memories/list', {
        body: body as Schemas['ListMemoriesSpec'],
        ...(signal && { signal }),
      }),
    );
    const { episodic_memory: episodes = [], semantic_memory: features = [] } = data.content;
    const total = headers.get('x-total-count');
    return {
      memories: [...episodes.map(toEpisode), ...features.map(toFeature)],
      next: headers.get('x-next-cursor') ?? undefined,
      total: total === null ? undefined : Number(total),
    };
  }
}

const tooManyToCount = (): Error => new Error('More memories match than Loci counts within a request.');

/** A kind as the API names it. */
export const typeOf = (kind: Kind) => (kind === 'episode' ? 'episodic' : 'semantic');

interface Page {
  readonly memories: readonly Remembered[];
  /** The cursor of the next page; undefined: this is the last. */
  readonly next: string | undefined;
  /** On all pages together; undefined behind the first, and where they are too many to be counted. */
  readonly total: number | undefined;
}

interface Narrowed {
  readonly filter: Filter | undefined;
  readonly set_metadata?: Record<string, string>;
}

/** The slugs of `x-degraded`. */
export const degradedOf = (headers: Headers | undefined): string[] =>
  headers?.get('x-degraded')?.split(/,\s*/) ?? [];
