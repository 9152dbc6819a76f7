import { ProjectsRepository } from '../src/projects/projects.repository.js';
import { instantFromIso, type Instant } from '@loci/contracts';
import { type LanguageModel } from '@loci/models';
import { Database, Outbox, runMigrations, UnitOfWork } from '@loci/persistence';
import { RecordingLogger, TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { Consolidator } from '../src/ingestion/consolidation/consolidator.js';
import { ConsolidationsRepository } from '../src/ingestion/consolidation/consolidations.repository.js';
import { SCHEMA } from '../src/database.js';
import { ENTITIES } from '../src/entities.js';
import {
  IngestionDeadLettersService,
  type RunOnce,
} from '../src/ingestion/dead-letters/ingestion-dead-letters.service.js';
import { IngestionDeadLettersRepository } from '../src/ingestion/dead-letters/ingestion-dead-letters.repository.js';
import { BatchReader } from '../src/ingestion/extraction/batch-reader.js';
import { ExtractionQuestions } from '../src/ingestion/extraction/extraction-questions.js';
import { CategoryIngester } from '../src/ingestion/extraction/category-ingester.js';
import { EARLIER_MESSAGES } from '../src/ingestion/extraction/earlier-messages.js';
import { type EpisodeSource } from '../src/ingestion/extraction/episode-source.js';
import { type IngestionEpisode } from '../src/ingestion/extraction/ingestion-episode.js';
import { type IngestionModels } from '../src/ingestion/extraction/ingestion-models.js';
import { CategoryGoneError, type IngestionSets } from '../src/ingestion/extraction/ingestion-sets.js';
import { PassFailures } from '../src/ingestion/passes/pass-failures.js';
import { SetIngester } from '../src/ingestion/passes/set-ingester.js';
import { MessagesRepository } from '../src/ingestion/extraction/messages.repository.js';
import { type WaitingMessage } from '../src/ingestion/extraction/waiting-message.js';
import { IngestionPartitions } from '../src/ingestion/extraction/ingestion-partitions.js';
import { type TooLongRequests } from '../src/ingestion/extraction/too-long-requests.js';
import { UnfinishedMessages } from '../src/ingestion/extraction/unfinished-messages.js';
import { UnfinishedPasses } from '../src/ingestion/passes/unfinished-passes.js';
import { IngestionSwitch } from '../src/ingestion/settings/ingestion-switch.js';
import { IntakeService } from '../src/ingestion/intake/intake.service.js';
import { type TriggersSource } from '../src/ingestion/settings/triggers-source.js';
import { BacklogRepository } from '../src/ingestion/backlog/backlog.repository.js';
import { type CallRecords } from '../src/ingestion/model-calls/call-records.js';
import { JobRunner, type TurnLimits } from '../src/ingestion/passes/job-runner.js';
import { Scheduler } from '../src/ingestion/jobs/scheduler.js';
import { SetWorkers } from '../src/ingestion/passes/set-workers.js';
import { JobsRepository } from '../src/ingestion/jobs/jobs.repository.js';
import { WorkSlots } from '../src/ingestion/passes/work-slots.js';
import { Ingestion1763700000002 } from '../src/migrations/0002-ingestion.js';
import { LaterLives1763700000040 } from '../src/migrations/0040-later-lives.js';
import { ModelQuotas1763700000080 } from '../src/migrations/0080-model-quotas.js';
import { RefusedCommands1763700000090 } from '../src/migrations/0090-refused-commands.js';
import { UnfinishedMessages1763700000101 } from '../src/migrations/0101-unfinished-messages.js';
import { FairQueues1763700000102 } from '../src/migrations/0102-fair-queues.js';
import { UnfinishedPasses1763700000103 } from '../src/migrations/0103-unfinished-passes.js';
import { TrustedProducers1763700000111 } from '../src/migrations/0111-trusted-producers.js';
import { type ModelPrices } from '../src/ingestion/usage/model-prices.js';
import { ModelQuotas } from '../src/ingestion/usage/model-quotas.js';
import { UsageRepository } from '../src/ingestion/usage/usage.repository.js';
import { QuotaLimits1763700000120 } from '../src/migrations/0120-quota-limits.js';
import { QuietJobs1763700000200 } from '../src/migrations/0200-semantic-quiet-jobs.js';
import { PutOffSets1763700000208 } from '../src/migrations/0195-put-off-sets.js';
import { DeferredMessages1763700000210 } from '../src/migrations/0210-deferred-messages.js';
import { LearnedMessages1763700000220 } from '../src/migrations/0220-learned-messages.js';
import { ModelCost1763700000221 } from '../src/migrations/0221-model-cost.js';
import { QueueIndex1763700000250 } from '../src/migrations/0250-queue-index.js';
import { PartSizes1763700000260 } from '../src/migrations/0260-part-sizes.js';
import { countStatements } from './count-statements.js';
import { SpecBase1700000000000 } from './spec-base.js';
import { SpecFeatureStore } from './spec-feature-store.js';
import { fullScope, type Scope } from '../src/projects/project.js';

const at = (second: number): Instant => {
  const found = instantFromIso(new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString());
  if (!found) throw new Error('no instant');
  return found;
};

/** Asks, and keeps nothing. */
const UNKEPT: Pick<CallRecords, 'ask' | 'noteMade'> = {
  ask: async (model, request) => ({ value: await model.generateJson(request), callUid: '' }),
  noteMade: () => Promise.resolve(),
};

const UNLIMITED = 1_000_000_000;

/** What one test changes of the world while it runs. */
export interface World {
  triggers: { messages: number; ageSeconds: number };
  categories: string[];
  /** Whether the messages of a set are one conversation; absent: none knows what was said before it. */
  hasConversations?: boolean;
  /** Whether semantic memory is switched on. */
  isOn: boolean;
  /** What the model of every set is; a failure when there is none. */
  model: (name: string | undefined) => Promise<LanguageModel>;
  prices: ModelPrices | undefined;
  /** Language models that are ready; the default one when absent. */
  ready?: readonly string[];
  /** What an organization may ask of models in a day; any amount when absent. */
  quota?: { calls: number; tokens: number; cost?: number };
  /** Where it is noted what models refused as too long; absent: nowhere. */
  tooLong?: TooLongRequests;
}

class WorldSwitch extends IngestionSwitch {
  constructor(private readonly world: World) {
    super();
  }

  override get isOn(): boolean {
    return this.world.isOn;
  }
}

interface ReplicaOptions {
  readonly episodes: EpisodeSource;
  readonly world: World;
  readonly limits: TurnLimits;
}

/** One worker process's share of ingestion on a database, without the process: connections of its own. */
export class IngestionReplica {
  readonly jobs: JobsRepository;
  readonly messages: MessagesRepository;
  readonly letters: IngestionDeadLettersService;
  readonly usage: UsageRepository;
  readonly once: RunOnce = (work) => this.unitOfWork.run(work);
  readonly backlog: BacklogRepository;
  readonly intake: IntakeService;
  readonly scheduler: Scheduler;
  readonly runner: JobRunner;
  readonly workers: SetWorkers;

  private constructor(
    private readonly database: Database,
    readonly unitOfWork: UnitOfWork,
    { episodes, world, limits: turnLimits }: ReplicaOptions,
  ) {
    const logger = new RecordingLogger();
    const outbox = new Outbox(
      { url: '', schema: SCHEMA, entities: ENTITIES, poolSize: 4 },
      unitOfWork,
      logger,
    );
    const triggers: TriggersSource = { current: () => world.triggers };
    const ingestion = new WorldSwitch(world);
    const sets: IngestionSets = {
      describe: async (setUid) => {
        const [set] = await unitOfWork.single((manager) =>
          manager.query<{ llm_name: string | null }[]>(`SELECT llm_name FROM ${SCHEMA}.sets WHERE uid = $1`, [
            setUid,
          ]),
        );
        return {
          categories: world.categories.map((name) => ({
            name,
            prompt: `Category ${name}.`,
            tags: new Map(),
          })),
          llmName: set?.llm_name ?? undefined,
        };
      },
      fence: (_, { name }) =>
        world.categories.includes(name) ? Promise.resolve() : Promise.reject(new CategoryGoneError(name)),
    };
    const models: IngestionModels = {
      get: async (name) => ({ model: await world.model(name), prices: world.prices }),
      defaultName: 'gpt',
      paused: [],
    };
    this.jobs = new JobsRepository(unitOfWork);
    this.messages = new MessagesRepository(unitOfWork);
    this.usage = new UsageRepository(unitOfWork);
    this.letters = new IngestionDeadLettersService(
      new IngestionDeadLettersRepository(unitOfWork),
      outbox,
      unitOfWork,
    );
    this.backlog = new BacklogRepository(unitOfWork);
    this.intake = new IntakeService(this.backlog, triggers, outbox, unitOfWork);
    this.scheduler = new Scheduler(
      this.jobs,
      triggers,
      ingestion,
      {
        areKnown: true,
        get names() {
          return world.ready ?? ['', 'gpt'];
        },
      },
      { pending: () => Promise.resolve(1) },
      unitOfWork,
      outbox,
    );
    const features = new SpecFeatureStore(unitOfWork);
    const projects = new ProjectsRepository(unitOfWork);
    const unfinished = new UnfinishedMessages(unitOfWork);
    const partitions = new IngestionPartitions(projects);
    const questions = new ExtractionQuestions(features, { INGESTION_KNOWN_TOKENS: 3_000 });
    const tooLong: Pick<TooLongRequests, 'has' | 'answered' | 'refused'> = {
      has: (asked, tokens) => world.tooLong?.has(asked, tokens) ?? false,
      answered: (asked, tokens) => world.tooLong?.answered(asked, tokens),
      refused: (asked, tokens) => world.tooLong?.refused(asked, tokens),
    };
    const categories = new CategoryIngester(
      this.messages,
      unfinished,
      episodes,
      new BatchReader(unfinished, questions, episodes, partitions, tooLong, UNKEPT),
      features,
      this.jobs,
      projects,
      sets,
      partitions,
      UNKEPT,
      unitOfWork,
      outbox,
    );
    const notes = new ConsolidationsRepository(unitOfWork);
    const consolidator = new Consolidator(
      features,
      notes,
      sets,
      this.jobs,
      unitOfWork,
      outbox,
      logger,
      UNKEPT,
      {
        CONSOLIDATION_MAX_SHARE: 0.5,
      },
    );
    const limits = {
      get QUOTA_MODEL_CALLS_PER_DAY() {
        return world.quota?.calls ?? UNLIMITED;
      },
      get QUOTA_MODEL_TOKENS_PER_DAY() {
        return world.quota?.tokens ?? UNLIMITED;
      },
      get QUOTA_MODEL_COST_PER_DAY() {
        return world.quota?.cost ?? UNLIMITED;
      },
    };
    const ingester = new SetIngester(
      sets,
      models,
      categories,
      consolidator,
      this.messages,
      unfinished,
      new PassFailures(this.messages, unfinished, this.jobs, unitOfWork, logger, {
        INGESTION_RETRY_PAUSE_MS: 2_000,
      }),
      this.usage,
      new ModelQuotas(unitOfWork, limits),
      ingestion,
      logger,
    );
    this.runner = new JobRunner(
      this.jobs,
      ingester,
      new UnfinishedPasses(sets, this.messages, unfinished, this.jobs, unitOfWork, logger),
      this.messages,
      triggers,
      ingestion,
      unitOfWork,
      outbox,
      logger,
      turnLimits,
    );
    this.workers = new SetWorkers({
      runner: this.runner,
      slots: new WorkSlots({ concurrency: 4, orgShare: 0.5, modelShare: 0.5 }),
      defaultModel: () => models.defaultName,
      pausedModels: () => models.paused,
      weightOf: () => 1,
      logger,
    });
  }

  static async open(url: string, options: ReplicaOptions): Promise<IngestionReplica> {
    const logger = new RecordingLogger();
    const database = await Database.connect({ url, schema: SCHEMA, entities: ENTITIES, poolSize: 8 }, logger);
    return new IngestionReplica(database, new UnitOfWork(database), options);
  }

  /** Works until nothing is due. */
  async drain(): Promise<void> {
    while (await this.runner.runNext());
  }

  /** How many statements some work takes, with those that begin and end its transactions. */
  statementsOf(work: () => Promise<unknown>): Promise<number> {
    return countStatements(this.database, work);
  }

  close(): Promise<void> {
    return this.database.close();
  }
}

/** A database with sets and messages, and the replicas that work on it. */
export class IngestionSpec {
  readonly orgId = 'acme';
  readonly projectUid = uuidv7();
  private readonly contents = new Map<string, IngestionEpisode>();
  /** Of each set, in the sequence in which they were said. */
  private readonly said = new Map<string, string[]>();
  private readonly replicas: IngestionReplica[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly world: World,
  ) {}

  static async create(world: World): Promise<IngestionSpec> {
    const database = await TestDatabase.create();
    await runMigrations({
      url: database.url,
      schema: SCHEMA,
      migrations: [
        SpecBase1700000000000,
        Ingestion1763700000002,
        LaterLives1763700000040,
        ModelQuotas1763700000080,
        RefusedCommands1763700000090,
        UnfinishedMessages1763700000101,
        FairQueues1763700000102,
        UnfinishedPasses1763700000103,
        TrustedProducers1763700000111,
        QuotaLimits1763700000120,
        QuietJobs1763700000200,
        PutOffSets1763700000208,
        DeferredMessages1763700000210,
        LearnedMessages1763700000220,
        ModelCost1763700000221,
        QueueIndex1763700000250,
        PartSizes1763700000260,
      ],
    });
    return new IngestionSpec(database, world);
  }

  get owner(): Scope {
    return fullScope({ orgId: this.orgId, projectUid: this.projectUid });
  }

  /** @param goOnMs how long passes over a set follow one another under one claim; by default each has its own */
  async replica({ goOnMs = 0 } = {}): Promise<IngestionReplica> {
    const episodes: EpisodeSource = {
      read: (waiting) =>
        Promise.resolve(waiting.flatMap(({ episodeUid }) => this.contents.get(episodeUid) ?? [])),
      before: (waiting) => Promise.resolve(this.world.hasConversations ? this.saidBefore(waiting) : []),
    };
    const replica = await IngestionReplica.open(this.database.url, {
      episodes,
      world: this.world,
      limits: { leaseMs: 30_000, goOnMs },
    });
    this.replicas.push(replica);
    return replica;
  }

  /** @param llmName the model that it is configured with; absent = the default */
  async newSet(llmName?: string): Promise<string> {
    const uid = uuidv7();
    await this.database.query(`INSERT INTO ${SCHEMA}.sets (uid, llm_name) VALUES ($1, $2)`, [uid, llmName]);
    return uid;
  }

  /** Adds messages to a set, as its events would. @returns their uids */
  async say(
    replica: IngestionReplica,
    setUid: string,
    texts: readonly string[],
    {
      receivedAt = new Date(),
      addedAt = at(0),
      uids = texts.map(() => uuidv7()),
      orgId = this.orgId,
    }: { receivedAt?: Date; addedAt?: Instant; uids?: string[]; orgId?: string } = {},
  ): Promise<string[]> {
    this.said.set(setUid, [...(this.said.get(setUid) ?? []), ...uids]);
    for (const [index, episodeUid] of uids.entries()) {
      this.contents.set(episodeUid, {
        episodeUid,
        projectUid: this.projectUid,
        content: texts[index] ?? '',
        producerId: 'alice',
        producerRole: 'user',
        producedForId: 'bot',
        createdAt: at(index),
        addedAt,
        metadata: {},
      });
    }
    await replica.intake.take(() =>
      Promise.resolve(
        uids.map((uid, index) => ({
          uid,
          tenant: { orgId, projectId: 'p' },
          projectUid: this.projectUid,
          receivedAt,
          saidAt: at(index),
          addedAt,
          causes: [],
          sets: [{ uid: setUid, isOrgLevel: false }],
        })),
      ),
    );
    return uids;
  }

  private saidBefore(waiting: readonly WaitingMessage[]): IngestionEpisode[] {
    const wanted = new Set(waiting.map(({ episodeUid }) => episodeUid));
    const said = [...this.said.values()].find((uids) => uids.some((uid) => wanted.has(uid))) ?? [];
    const isBefore = (index: number): boolean =>
      said.slice(index + 1, index + 1 + EARLIER_MESSAGES).some((uid) => wanted.has(uid));
    return said.flatMap((uid, index) => (isBefore(index) ? (this.contents.get(uid) ?? []) : []));
  }

  /** The message is deleted at its source. */
  forget(episodeUid: string): void {
    this.contents.delete(episodeUid);
  }

  /** The message is deleted, and another one added under its uid. */
  async replace(replica: IngestionReplica, setUid: string, uid: string, text: string): Promise<void> {
    const deleted = { projectUid: this.projectUid, uids: [uid], addedUntil: at(0) };
    await replica.unitOfWork.run((tx) => replica.backlog.forgetEpisodes(deleted, tx));
    await this.say(replica, setUid, [text], { uids: [uid], addedAt: at(1) });
  }

  features(
    setUid: string,
  ): Promise<{ category: string; tag: string; name: string; value: string; citations: string[] }[]> {
    return this.database.query(
      `SELECT category, tag, name, value, citations FROM ${SCHEMA}.spec_features WHERE set_uid = $1 ORDER BY category, name, value`,
      [setUid],
    );
  }

  async job(setUid: string): Promise<{ state: string; waiting: number; fresh: number; code: string | null }> {
    const [row] = await this.database.query<{
      state: string;
      waiting: number;
      fresh: number;
      code: string | null;
    }>(`SELECT state, waiting, fresh, code FROM ${SCHEMA}.ingestion_jobs WHERE set_uid = $1`, [setUid]);
    if (!row) throw new Error('no job');
    return row;
  }

  /** Lets every back-off be over. */
  async skipPauses(): Promise<void> {
    await this.database.query(`UPDATE ${SCHEMA}.ingestion_failures SET retry_at = now()`);
    await this.database.query(
      `UPDATE ${SCHEMA}.ingestion_unfinished SET retry_at = now() WHERE batch_uid IS NOT NULL`,
    );
    await this.database.query(
      `UPDATE ${SCHEMA}.ingestion_jobs SET run_after = now() WHERE state IN ('retrying', 'blocked')`,
    );
  }

  /** As an outage of their model does. */
  async pauseCategories(): Promise<void> {
    await this.database.query(`UPDATE ${SCHEMA}.ingestion_failures SET retry_at = now() + interval '1 hour'`);
  }

  async close(): Promise<void> {
    for (const replica of this.replicas) await replica.close();
    await this.database.drop();
  }
}
