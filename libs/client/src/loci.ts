import { type components } from './api.generated.js';
import { type CallOptions, sentWith } from './call-options.js';
import { answered, createLociClient, type LociClient, type LociClientOptions } from './loci-client.js';
import { Conversation } from './memory/conversation.js';
import { Memory } from './memory/memory.js';
import { type MemoryScope } from './memory/scope.js';
import { events, type EventsOptions, type LociEvent } from './operations/events.js';
import {
  followStatistics,
  type Statistics,
  statistics,
  type StatisticsOptions,
} from './operations/statistics.js';
import { Ingestion } from './operations/ingestion.js';
import { Keys } from './operations/keys.js';
import { Projects } from './operations/projects.js';
import { ModelResources } from './operations/resources.js';
import { Webhooks } from './operations/webhooks.js';

/**
 * Loci, for applications.
 * @example
 * const loci = new Loci({ url: 'http://127.0.0.1:8080' });
 * const memory = loci.memory({ org: 'acme', project: 'travel-agent', user: 'alice' });
 * await memory.add('I like window seats.');
 * const { text } = await memory.context('Where should Alice sit?');
 */
export class Loci {
  /** Every operation of the API, with the same connection. */
  readonly api: LociClient;
  readonly projects: Projects;
  readonly keys: Keys;
  /** Language models, embedders, rerankers. */
  readonly resources: ModelResources;
  readonly ingestion: Ingestion;
  /** Receivers of events. */
  readonly webhooks: Webhooks;

  /** @throws TypeError for a `url` that is none */
  constructor(options: LociClientOptions) {
    this.api = createLociClient(options);
    this.projects = new Projects(this.api);
    this.keys = new Keys(this.api);
    this.resources = new ModelResources(this.api);
    this.ingestion = new Ingestion(this.api);
    this.webhooks = new Webhooks(this.api);
  }

  /** The memory of a project, of one user in it, or of one session. Nothing is sent. @throws TypeError for an empty name */
  memory(scope: MemoryScope): Memory {
    return new Memory(this.api, scope);
  }

  /** The items of one session, for adapters of frameworks. @throws TypeError for an empty name */
  conversation<Item>(scope: MemoryScope & { readonly session: string }): Conversation<Item> {
    return new Conversation(this.memory(scope), scope.session);
  }

  /**
   * Goes through what happens, as it happens; connects again by itself and misses nothing in between.
   * @example for await (const event of loci.events({ types: ['features.changed'] })) console.log(event.data.set_id);
   * @throws LociError when it is refused, or not reached for about a minute
   */
  events(options: EventsOptions = {}): AsyncGenerator<LociEvent, void> {
    return events(this.api, options);
  }

  /** What the deployment did in the last hour, by minute; for keys that are bound to no organization. @throws LociError */
  statistics(options: StatisticsOptions = {}): Promise<Statistics> {
    return statistics(this.api, options);
  }

  /** The same every few seconds, until the signal says stop. @throws LociError */
  followStatistics(options: StatisticsOptions = {}): AsyncGenerator<Statistics, void> {
    return followStatistics(this.api, options);
  }

  /** Whether Loci and what it needs are well. @throws LociError when they are not */
  health(options: CallOptions = {}): Promise<components['schemas']['Health']> {
    return answered(this.api.GET('/api/v2/health', sentWith(options)));
  }
}
