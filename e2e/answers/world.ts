import { answered, createLociClient, type LociClient } from '@loci/client';
import { eventually, type FakeModels, Loci } from '@loci/testing';
import { randomUUID } from 'node:crypto';
import { type OwnServers } from '../harness/own-server.js';
import { SecondProcess } from '../harness/second-process.js';
import { pauseConsumer } from '../harness/streams.js';

/** What belongs to whom, as requests name it. */
export const PROJECT = { org_id: 'acme', project_id: 'main' };
/** Its second letter is Cyrillic. */
export const LOOK_ALIKE_ORGANIZATION = { org_id: '\u0430cme' };
export const LOOK_ALIKE = { org_id: 'acme', project_id: 'm\u0430in' };
/** No process listens there. */
export const RECEIVER = 'http://127.0.0.1:9/hook';
/** Deleted, and never erased. */
export const DOOMED = { org_id: 'acme', project_id: 'doomed' };

/** In which nothing is, with a model. */
const READING_SET = 'mem_project_set_previews';

/** Of an organization that has all that its quotas allow. */
export const FULL = { org_id: 'full', project_id: 'main' };

/** What there is of `FULL`. */
export interface FullOrganization {
  /** Of the organization, with every scope. */
  readonly key: string;
  readonly setType: string;
}

/** Two callers that may do anything with the project. */
export interface Callers {
  readonly admin: string;
  /** Belongs to the organization, as callers of the hosted form have to. */
  readonly hosted: string;
  /** As `hosted`, and may do everything there. */
  readonly hostedAdmin: string;
}

/** Tokens of the deployment: they are good whatever is down. None of them administers an organization. */
export const STATIC: Omit<Callers, 'hostedAdmin'> = {
  admin: randomUUID() + randomUUID(),
  hosted: randomUUID(),
};

const SETTINGS = {
  RECEIVE_TIMEOUT_MS: '60000',
  AUTH: 'on',
  LOCI_ADMIN_KEY: STATIC.admin,
  HOSTED_TOKENS: `${STATIC.hosted}=${PROJECT.org_id}`,
  AUTO_CREATE_PROJECTS: 'false',
  INGESTION_RETRY_PAUSE_MS: '1',
  EGRESS_ALLOW_PRIVATE: 'true',
  WORKER_NICENESS: '0',
};

/** Of the strict gateway: enough for a request to each operation. */
export const LIMITS = { bodyBytes: 4_096, perMinute: 120 };

/** So short that it can be waited for, and long enough for a busy machine. */
const PATIENCE_MS = '3000';

const STRICT = {
  MAX_BODY_BYTES: String(LIMITS.bodyBytes),
  RATE_LIMIT_PER_MINUTE: String(LIMITS.perMinute),
  RECEIVE_TIMEOUT_MS: PATIENCE_MS,
  REQUEST_TIMEOUT_MS: PATIENCE_MS,
};

/** Enough for two operations with two prefixes, once as they are and once out of date. */
const PROPOSALS = 12;

/** Works on one request at a time, and lets none wait. */
const NARROW = { MAX_IN_FLIGHT: '1', MAX_WAITING: '0' };

/** One to drop, one to replay, one to look at. */
const DEAD_LETTERS = 3;

interface ProposalInStore {
  readonly id: string;
  /** The id of the feature that it is about. */
  readonly feature: string;
}

let names = 0;

/** A name that nothing has yet. */
export const fresh = (): string => `name-${(names += 1)}`;

/** A product with a project in it, and what it takes to make whatever a request may be about. */
export class World {
  private constructor(
    readonly loci: Loci,
    /** Another gateway, which lets little through. */
    private readonly strictGateway: SecondProcess,
    private readonly narrowGateway: SecondProcess,
    private readonly api: LociClient,
    /** The set of the project. */
    readonly set: string,
    readonly full: FullOrganization,
    private readonly deadLetters: string[],
    private readonly proposals: ProposalInStore[],
  ) {}

  static async begin(own: OwnServers, models: FakeModels): Promise<World> {
    const loci = await Loci.start({ env: { ...own.env, ...SETTINGS }, sweeps: 'as delivered' });
    const [strictGateway, narrowGateway] = await Promise.all([
      SecondProcess.start(loci, 'gateway', STRICT),
      SecondProcess.start(loci, 'gateway', NARROW),
    ]);
    const api = createLociClient({ url: loci.url, apiKey: STATIC.admin });
    await answered(api.POST('/api/v2/projects', { body: PROJECT }));
    const body = { ...PROJECT, metadata_tags: [] };
    const { set_id } = await answered(api.POST('/api/v2/memories/semantic/set_id/get', { body }));
    const deadLetters = await giveUp(api, models);
    const proposals = await propose(api, models, set_id);
    await pauseConsumer(own, 'config-service-erased');
    await answered(api.POST('/api/v2/projects', { body: DOOMED }));
    await answered(api.POST('/api/v2/projects/delete', { body: DOOMED }));
    const full = await fillUp(api);
    return new World(loci, strictGateway, narrowGateway, api, set_id, full, deadLetters, proposals);
  }

  get url(): string {
    return this.loci.url;
  }

  get strictUrl(): string {
    return this.strictGateway.url;
  }

  get narrowUrl(): string {
    return this.narrowGateway.url;
  }

  async end(): Promise<void> {
    await Promise.all([this.strictGateway.stop(), this.narrowGateway.stop(), this.loci.destroy()]);
  }

  async episode(): Promise<string> {
    const body = { ...PROJECT, messages: [{ content: fresh() }] };
    const { results } = await answered(this.api.POST('/api/v2/memories', { body }));
    return results[0]?.uid ?? '';
  }

  async feature(category_name = 'profile'): Promise<string> {
    const said = { category_name, tag: 't', feature: 'f', value: fresh() };
    const body = { ...PROJECT, set_id: this.set, ...said };
    return (await answered(this.api.POST('/api/v2/memories/semantic/feature', { body }))).feature_id;
  }

  /** A set with a model, in which nothing is. */
  async readingSet(): Promise<string> {
    const body = { ...PROJECT, set_id: READING_SET, llm_name: 'gpt' };
    await answered(this.api.POST('/api/v2/memories/semantic/set/configure', { body }));
    return READING_SET;
  }

  /** A feature that another one contradicts. */
  async conflict(): Promise<string> {
    const said = { category_name: 'profile', tag: 't', feature: fresh(), single_valued: true };
    const add = async (value: string): Promise<string> => {
      const body = { ...PROJECT, set_id: this.set, ...said, value };
      return (await answered(this.api.POST('/api/v2/memories/semantic/feature', { body }))).feature_id;
    };
    await add('one');
    return add('another');
  }

  /** A user of whom a feature is. */
  async knownUser(): Promise<string> {
    const subject = fresh();
    const said = { category_name: 'profile', tag: 't', feature: 'f', value: fresh(), subject };
    const body = { ...PROJECT, set_id: this.set, ...said };
    await answered(this.api.POST('/api/v2/memories/semantic/feature', { body }));
    return subject;
  }

  /** @returns the id of a job that deletes what matches a filter */
  async forgetJob(): Promise<string> {
    const body = { ...PROJECT, filter: `producer_id='${fresh()}'` };
    return (await answered(this.api.POST('/api/v2/memories/forget', { body }))).id;
  }

  async updateFeature(feature_id: string, category_name: string, value?: string): Promise<void> {
    const body = { ...PROJECT, feature_id, category_name, ...(value !== undefined && { value }) };
    await answered(this.api.POST('/api/v2/memories/semantic/feature/update', { body }));
  }

  /** The id of what last happened to a feature. */
  async latestChange(feature_id: string): Promise<string> {
    const body = { ...PROJECT, feature_id };
    const { changes } = await answered(this.api.POST('/api/v2/memories/semantic/feature/history', { body }));
    return changes[0]?.change_id ?? '';
  }

  async setType(): Promise<string> {
    const body = { ...PROJECT, metadata_tags: [fresh()] };
    return (await answered(this.api.POST('/api/v2/memories/semantic/set_type', { body }))).set_type_id;
  }

  async category(category_name = fresh()): Promise<string> {
    const body = { ...PROJECT, set_id: this.set, category_name, prompt: 'p' };
    return (await answered(this.api.POST('/api/v2/memories/semantic/category', { body }))).category_id;
  }

  async deleteCategory(category_id: string): Promise<void> {
    const body = { ...PROJECT, category_id };
    await answered(this.api.POST('/api/v2/memories/semantic/category/delete', { body }));
  }

  async template(set_type_id: string, category_name: string): Promise<void> {
    const body = { ...PROJECT, set_type_id, category_name, prompt: 'p' };
    await answered(this.api.POST('/api/v2/memories/semantic/category/template', { body }));
  }

  async tag(): Promise<string> {
    const category_id = await this.category();
    const body = { ...PROJECT, category_id, tag_name: 't', tag_description: 'd' };
    return (await answered(this.api.POST('/api/v2/memories/semantic/category/tag', { body }))).tag_id;
  }

  /** @returns the id of a project of its own */
  async project(): Promise<string> {
    const body = { ...PROJECT, project_id: fresh() };
    return (await answered(this.api.POST('/api/v2/projects', { body }))).project_id;
  }

  /** @returns the name of a model that is not in use */
  async reranker(): Promise<string> {
    const body = { name: fresh(), provider: 'identity', config: {} };
    const params = { path: { kind: 'rerankers' as const } };
    await answered(this.api.POST('/api/v2/config/resources/{kind}', { params, body }));
    return body.name;
  }

  /** @returns the name of a model that a project uses */
  async usedReranker(): Promise<string> {
    const reranker = await this.reranker();
    await answered(this.api.PUT('/api/v2/projects/config', { body: { ...PROJECT, reranker } }));
    return reranker;
  }

  /** @param bounds absent = it reaches everything */
  async key(
    scopes: readonly ('read' | 'write' | 'admin')[],
    bounds: Partial<typeof PROJECT> = {},
    producer?: string,
  ): Promise<{ id: string; secret: string }> {
    const body = {
      name: 'a key',
      scopes: [...scopes],
      org_id: null,
      ...bounds,
      producer: producer ?? null,
    };
    const { id, secret } = await answered(this.api.POST('/api/v2/keys', { body }));
    return { id, secret: secret ?? '' };
  }

  /** @returns the id of one that can no longer be rotated */
  async expiredKey(): Promise<string> {
    const endsAt = Date.now() + 5_000;
    const body = { name: 'over', scopes: ['read' as const], expires_at: new Date(endsAt).toISOString() };
    const { id } = await answered(this.api.POST('/api/v2/keys', { body }));
    await eventually(() => Date.now() > endsAt, { what: 'the key is over' });
    return id;
  }

  /** @returns the id of one without a receiver */
  async webhook(): Promise<string> {
    const body = { url: RECEIVER, org_id: PROJECT.org_id, types: ['project.deleted' as const] };
    return (await answered(this.api.POST('/api/v2/webhooks', { body }))).id;
  }

  /** With keys that were not used before. */
  async callers(): Promise<Callers> {
    const { org_id } = PROJECT;
    const [admin, hosted, hostedAdmin] = await Promise.all([
      this.key(['admin']),
      this.key(['read', 'write'], { org_id }),
      this.key(['admin'], { org_id }),
    ]);
    return { admin: admin.secret, hosted: hosted.secret, hostedAdmin: hostedAdmin.secret };
  }

  /** Says whose messages the project trusts. */
  async trust(trusted_producers: readonly string[]): Promise<void> {
    const body = { ...PROJECT, trusted_producers: [...trusted_producers] };
    await answered(this.api.POST('/api/v2/memory/semantic/config', { body }));
  }

  /** @returns one that no other request gets */
  proposal(): ProposalInStore {
    const proposal = this.proposals.pop();
    if (!proposal) throw new Error('There is no proposal left.');
    return proposal;
  }

  /** A call of a model that ingestion made. */
  async modelCall(): Promise<string> {
    const query = { ...PROJECT, page_size: 1 };
    const [call] = await answered(this.api.GET('/api/v2/ingestion/calls', { params: { query } }));
    if (!call) throw new Error('No call is kept.');
    return call.id;
  }

  /** @returns an id that no other request gets */
  deadLetter(): string {
    const id = this.deadLetters.pop();
    if (id === undefined) throw new Error('There is no dead letter left.');
    return id;
  }
}

/** Makes what there is of `FULL`, and lets no more be made. */
async function fillUp(api: LociClient): Promise<FullOrganization> {
  const { org_id } = FULL;
  await answered(api.POST('/api/v2/projects', { body: FULL }));
  const type = { ...FULL, metadata_tags: ['room'] };
  const { set_type_id } = await answered(api.POST('/api/v2/memories/semantic/set_type', { body: type }));
  const key = { name: 'a key', scopes: ['admin' as const], org_id };
  const { secret } = await answered(api.POST('/api/v2/keys', { body: key }));
  const reading = { ...FULL, set_id: READING_SET, llm_name: 'gpt' };
  await answered(api.POST('/api/v2/memories/semantic/set/configure', { body: reading }));
  const none = {
    projects: 0,
    keys: 0,
    webhooks: 0,
    sets: 0,
    set_types: 0,
    categories_per_set: 0,
    model_calls_per_day: 0,
  };
  await answered(api.PUT('/api/v2/quotas', { body: { org_id, ...none } }));
  return { key: secret ?? '', setType: set_type_id };
}

/** Has messages given up. @returns the ids of the dead letters */
async function giveUp(api: LociClient, models: FakeModels): Promise<string[]> {
  models.reply(/./, 'certainly!');
  const config = { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' };
  const model = { name: 'gpt', provider: 'openai-chat-completions', config };
  const params = { path: { kind: 'language_models' as const } };
  await answered(api.POST('/api/v2/config/resources/{kind}', { params, body: model }));
  const configure = (body: object): Promise<unknown> =>
    answered(api.PUT('/api/v2/config/memory/semantic', { body }));
  await configure({ llm_model: 'gpt', ingestion_trigger_messages: DEAD_LETTERS });
  const messages = Array.from({ length: DEAD_LETTERS }, () => ({ content: fresh() }));
  await answered(api.POST('/api/v2/memories', { body: { ...PROJECT, messages } }));
  const list = { params: { query: PROJECT } };
  const letters = await eventually(
    async () => {
      const found = await answered(api.GET('/api/v2/ingestion/dead-letters', list));
      return found.length >= DEAD_LETTERS && found;
    },
    { what: 'there are dead letters' },
  );
  await configure({ llm_model: '', ingestion_trigger_messages: 1_000 });
  return letters.map(({ id }) => id);
}

/** Has a model propose to change features that a client wrote. */
async function propose(api: LociClient, models: FakeModels, set_id: string): Promise<ProposalInStore[]> {
  const names = Array.from({ length: PROPOSALS }, fresh);
  for (const feature of names) {
    const said = { category_name: 'profile', tag: 't', feature, value: 'by hand' };
    await answered(api.POST('/api/v2/memories/semantic/feature', { body: { ...PROJECT, set_id, ...said } }));
  }
  const update = (feature: string): object => ({
    command: 'update',
    tag: 't',
    feature,
    value: 'told',
    messages: [1],
  });
  models.reply(/./, { commands: names.map(update) });
  const configure = (body: object): Promise<unknown> =>
    answered(api.PUT('/api/v2/config/memory/semantic', { body }));
  await configure({ llm_model: 'gpt', ingestion_trigger_messages: 1 });
  await answered(api.POST('/api/v2/memories', { body: { ...PROJECT, messages: [{ content: fresh() }] } }));
  const body = { ...PROJECT, set_id, page_size: 100 };
  const proposals = await eventually(
    async () => {
      const found = await answered(api.POST('/api/v2/memories/semantic/proposal/list', { body }));
      return found.proposals.length === PROPOSALS && found.proposals;
    },
    { what: 'there are proposals' },
  );
  await configure({ llm_model: '', ingestion_trigger_messages: 1_000 });
  return proposals.map(({ proposal_id: id, features }) => ({ id, feature: features[0]?.feature_id ?? '' }));
}
