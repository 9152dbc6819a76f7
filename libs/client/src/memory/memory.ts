import { type CallOptions, sentWith, type WriteOptions } from '../call-options.js';
import { type Filter } from '../filters/filter.js';
import { type components } from '../api.generated.js';
import { answered, type LociClient, withHeaders } from '../loci-client.js';
import { checkedOptions, isFilter, memoriesIn, KINDS } from './given.js';
import { type Feature, type Remembered, toEpisode, toFeature } from './memories.js';
import {
  type AddOptions,
  type Change,
  type Conflict,
  type ConflictsOptions,
  type Context,
  type ContextOptions,
  type Correction,
  type ForgetOptions,
  type Kind,
  type ListOptions,
  type Profile,
  type Recalled,
  type RecallOptions,
  type SearchOptions,
  type SearchResult,
  type SettleOptions,
} from './memory-options.js';
import { degradedOf, MemoryRequests, typeOf } from './memory-requests.js';
import { type Said, toMessage } from './messages.js';
import { checkedScope, type MemoryScope, type Tenant, tenantOf } from './scope.js';

/** The memory of a project, of one user in it, or of one session. All methods throw LociError, or the reason of `signal`. */
export class Memory {
  readonly scope: MemoryScope;
  private readonly tenant: Tenant;
  private readonly requests: MemoryRequests;

  /** @throws TypeError for a scope with an empty field */
  constructor(
    private readonly api: LociClient,
    scope: MemoryScope,
  ) {
    this.scope = checkedScope(scope);
    this.tenant = tenantOf(scope);
    this.requests = new MemoryRequests(api, this.scope);
  }

  /**
   * Stores what was said: all of it or nothing, for good, found by the next search.
   * @returns the ids of the episodes, in the same sequence
   */
  async add(said: Said | readonly Said[], options: AddOptions = {}): Promise<string[]> {
    const messages = [said].flat().map((one: Said) => toMessage(one, this.scope));
    const types = checkedOptions(options).kinds?.map(typeOf);
    const body = { ...this.tenant, messages, ...(types && { types }) };
    const { results } = await answered(this.api.POST('/api/v2/memories', { body, ...sentWith(options) }));
    return results.map(({ uid }) => uid);
  }

  /** Finds episodes by meaning and words, and features. */
  async search(query: string, given: SearchOptions = {}): Promise<SearchResult> {
    const { kinds = KINDS, ...options } = checkedOptions(given);
    const [episodic, semantic] = await Promise.all([
      kinds.includes('episode') ? this.requests.searchEpisodes(query, options) : undefined,
      kinds.includes('feature') ? this.requests.searchFeatures(query, options) : undefined,
    ]);
    const found = episodic?.data.content.episodic_memory;
    const isOfAll = this.scope.user === undefined && this.scope.session === undefined;
    return {
      episodes: (found?.long_term_memory.episodes ?? []).map(toEpisode),
      recent: (found?.short_term_memory.episodes ?? []).map(toEpisode),
      summary: isOfAll ? (found?.short_term_memory.episode_summary[0] ?? '') : '',
      features: (semantic?.data.content.semantic_memory ?? []).map(toFeature),
      degraded: [...new Set([episodic, semantic].flatMap((answer) => degradedOf(answer?.headers)))],
    };
  }

  /**
   * Finds messages, however new, and facts, as one list by one score.
   * @example const { memories } = await memory.recall('Where does Alice like to sit?', { threshold: 0.5 });
   */
  async recall(query: string, options: RecallOptions = {}): Promise<Recalled> {
    const { topK, filter, kinds, threshold, asOf, signal } = checkedOptions(options);
    const { user, session } = this.scope;
    const body = {
      ...this.tenant,
      query,
      ...(topK !== undefined && { top_k: topK }),
      ...(filter && { filter: filter.text }),
      ...(kinds && { types: kinds.map(typeOf) }),
      ...(threshold !== undefined && { score_threshold: threshold }),
      ...(asOf && { as_of: asOf.toISOString() }),
      ...(user !== undefined && { user }),
      ...(session !== undefined && { session }),
    };
    const { data, headers } = await withHeaders(
      this.api.POST('/api/v2/recall', { body, ...(signal && { signal }) }),
    );
    const memories = data.memories.flatMap(({ episode, feature, score }) => [
      ...(episode ? [{ ...toEpisode(episode), score }] : []),
      ...(feature ? [{ ...toFeature(feature), score }] : []),
    ]);
    return { memories, degraded: degradedOf(headers) };
  }

  /** What to put in front of a model for a query: profile, facts, relevant episodes and recent turns as one text. */
  async context(query: string, options: ContextOptions = {}): Promise<Context> {
    const { user, session } = this.scope;
    const { maxTokens, asOf, signal } = checkedOptions(options);
    const body = {
      ...this.tenant,
      query,
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
      ...(asOf && { as_of: asOf.toISOString() }),
      ...(user !== undefined && { user }),
      ...(session !== undefined && { session }),
    };
    const { data, headers } = await withHeaders(
      this.api.POST('/api/v2/context', { body: body, ...(signal && { signal }) }),
    );
    return { ...data, degraded: degradedOf(headers) };
  }

  /**
   * Goes through everything that is remembered, page by page.
   * @example for await (const memory of memory.list({ kinds: ['episode'] })) console.log(memory.content);
   */
  list<Wanted extends Kind = Kind>(
    options: ListOptions & { readonly kinds?: readonly Wanted[] } = {},
  ): AsyncGenerator<Extract<Remembered, { kind: Wanted }>, void, undefined> {
    return this.requests.everything(checkedOptions(options)) as AsyncGenerator<
      Extract<Remembered, { kind: Wanted }>,
      void,
      undefined
    >;
  }

  /** How many memories a filter chooses, or there are: what `list` would go through. */
  async count(options: ListOptions = {}): Promise<number> {
    const { filter, kinds = KINDS, asOf, signal } = checkedOptions(options);
    const chosen = { ...(filter && { filter }), ...(asOf && { asOf }), ...(signal && { signal }) };
    const counts = await Promise.all(kinds.map((kind) => this.requests.count(kind, chosen)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /**
   * Deletes memories, or the messages that a filter chooses, with all that was learned from these alone.
   * @returns how many were deleted; of a filter without `wait`, how many match
   * @throws LociError `memory_not_found` when one that was named is not there; the others are deleted
   */
  async forget(
    what: Remembered | readonly Remembered[] | Filter,
    { wait = true, ...options }: ForgetOptions = {},
  ): Promise<number> {
    if (isFilter(what)) return this.requests.forget(what, wait, options);
    return this.requests.remove(memoriesIn(what), options);
  }

  /** All that is known of the user, as one text within a budget; what changed last goes first. @throws TypeError without a user */
  async profile(options: ContextOptions = {}): Promise<Profile> {
    const { maxTokens, asOf, signal } = checkedOptions(options);
    const { user } = this.scope;
    if (user === undefined)
      throw new TypeError('A profile is that of a user: name one with memory({ …, user }).');
    const body = {
      ...this.tenant,
      user,
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
      ...(asOf && { as_of: asOf.toISOString() }),
    };
    const { text, tokens, categories, citations } = await answered(
      this.api.POST('/api/v2/profile', { body, ...(signal && { signal }) }),
    );
    return { text, tokens, categories, citations };
  }

  /** How a feature came to say what it says, newest change first. */
  async history(feature: Feature | string, { signal }: CallOptions = {}): Promise<Change[]> {
    const body = { ...this.tenant, feature_id: idOf(feature) };
    const changes: components['schemas']['FeatureChange'][] = [];
    let cursor: string | undefined;
    do {
      const { data, headers } = await withHeaders(
        this.api.POST('/api/v2/memories/semantic/feature/history', {
          body: { ...body, ...(cursor !== undefined && { cursor }) },
          ...(signal && { signal }),
        }),
      );
      changes.push(...data.changes);
      cursor = headers.get('x-next-cursor') ?? undefined;
    } while (cursor !== undefined);
    return changes.map(({ change_id, action, origin, at, episodes, before, after }) => ({
      id: change_id,
      action,
      origin,
      at: new Date(at),
      episodes,
      before,
      after,
    }));
  }

  /** Makes a feature say something else. No model changes it from then on: what models ask for becomes a proposal. */
  async correct(
    feature: Feature | string,
    correction: Correction,
    options: WriteOptions = {},
  ): Promise<void> {
    const { value, name, tag, category, metadata, singleValued, pinned } = correction;
    const body = {
      ...this.tenant,
      feature_id: idOf(feature),
      ...(value !== undefined && { value }),
      ...(name !== undefined && { feature: name }),
      ...(tag !== undefined && { tag }),
      ...(category !== undefined && { category_name: category }),
      ...(metadata !== undefined && { metadata }),
      ...(singleValued !== undefined && { single_valued: singleValued }),
      ...(pinned !== undefined && { pinned }),
    };
    await answered(this.api.POST('/api/v2/memories/semantic/feature/update', { body, ...sentWith(options) }));
  }

  /**
   * Goes through features that contradict each other: of the user, where the scope names one. What is settled meanwhile moves
   * the others up: settle when it is through.
   */
  async *conflicts({ pageSize = 100, signal }: ConflictsOptions = {}): AsyncGenerator<
    Conflict,
    void,
    undefined
  > {
    const { user } = this.scope;
    const asked = { ...this.tenant, ...(user !== undefined && { subject: user }), page_size: pageSize };
    for (let page_num = 0, isMore = true; isMore; page_num++) {
      const { conflicts } = await answered(
        this.api.POST('/api/v2/memories/semantic/conflict/list', {
          body: { ...asked, page_num },
          ...(signal && { signal }),
        }),
      );
      yield* conflicts.map(({ features }) => features.map(toFeature));
      isMore = conflicts.length === pageSize;
    }
  }

  /**
   * Keeps a feature; those that contradict it end, as superseded by it.
   * @throws LociError `conflict_not_found` when nothing contradicts it
   */
  async settle(kept: Feature | string, { others, ...options }: SettleOptions = {}): Promise<void> {
    const body = {
      ...this.tenant,
      feature_id: idOf(kept),
      ...(others && { other_ids: others.map(idOf) }),
    };
    await answered(
      this.api.POST('/api/v2/memories/semantic/conflict/settle', { body, ...sentWith(options) }),
    );
  }
}

const idOf = (feature: Feature | string): string => (typeof feature === 'string' ? feature : feature.id);
