import { randomBytes } from 'node:crypto';
import { type Signals } from '@loci/messaging';
import { Database, Idempotency, Outbox, runMigrations, UnitOfWork } from '@loci/persistence';
import { loadEnv } from '@loci/platform';
import { secretBoxOf } from '@loci/registry';
import { RecordingLogger } from '@loci/testing';
import { ConfigurationFileService } from '../src/configuration-file/configuration-file.service.js';
import { FileImport } from '../src/configuration-file/file-import.js';
import { SeenEntriesRepository } from '../src/configuration-file/seen-entries.repository.js';
import { SCHEMA } from '../src/database.js';
import { ENTITIES } from '../src/entities.js';
import { ConfigServiceEnv } from '../src/env.js';
import { MemoryConfigurationService } from '../src/memory-configuration/memory-configuration.service.js';
import { MemoryConfigurationRepository } from '../src/memory-configuration/memory-configuration.repository.js';
import { MIGRATIONS } from '../src/migrations/migrations.js';
import { RegistryRevisions } from '../src/revisions/registry-revisions.js';
import { RegistryService } from '../src/registry/registry.service.js';
import { ComposedResources } from '../src/resources/composed-resources.js';
import { ForbiddenReferences } from '../src/resources/forbidden-references.js';
import { ModelResourceConfigs } from '../src/resources/model-resource-configs.js';
import { ResourcesRepository } from '../src/resources/resources.repository.js';
import { ProbeClaims } from '../src/resources/probe-claims.js';
import { ResourceLookup } from '../src/resources/resource-lookup.js';
import { ReadyResources } from '../src/resources/ready-resources.js';
import { ResourceProbes } from '../src/resources/resource-probes.js';
import { type ResourceProber } from '../src/resources/resource-prober.js';
import { AllResourceUsers } from '../src/resources/resource-users.js';
import { ResourcesService } from '../src/resources/resources.service.js';
import { SecretRotation } from '../src/resources/secret-rotation.js';

export const migrate = (url: string): Promise<string[]> =>
  runMigrations({ url, schema: SCHEMA, migrations: MIGRATIONS });

/** A key ring with one key of this name. */
export const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

export interface ReplicaOptions {
  readonly url: string;
  readonly prober: ResourceProber;
  readonly secretKeys?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

const SHARED_KEY = newKey('shared');

/** One replica of the service without its doors: connections, services and background work of its own. */
export class Replica {
  readonly logger = new RecordingLogger();
  /** The signals of this process. */
  readonly told: { readonly subject: string; readonly payload: unknown }[] = [];
  readonly revisions: RegistryRevisions;
  readonly lookup: ResourceLookup;
  readonly probes: ResourceProbes;
  readonly resources: ResourcesService;
  readonly memory: MemoryConfigurationService;
  readonly registry: RegistryService;
  readonly rotation: SecretRotation;
  readonly forbiddenReferences: ForbiddenReferences;
  readonly file: ConfigurationFileService;
  readonly unitOfWork: UnitOfWork;
  readonly #database: Database;

  private constructor(database: Database, { url, prober, secretKeys, settings }: ReplicaOptions) {
    this.#database = database;
    this.unitOfWork = new UnitOfWork(database);
    const { logger, unitOfWork } = this;
    const env = loadEnv(ConfigServiceEnv, {
      DATABASE_URL: url,
      NATS_URL: 'nats://unused:4222',
      LOCI_SECRET_KEYS: secretKeys ?? SHARED_KEY,
      MODEL_PROBE_SWEEP_INTERVAL_MS: '100',
      MODEL_PROBE_RETRY_MIN_MS: '100',
      MODEL_PROBE_WAIT_MS: '9000',
      CONFIG_FILE_SYNC_INTERVAL_MS: '100',
      ...settings,
    });
    const options = { url, schema: SCHEMA, entities: ENTITIES };
    const outbox = new Outbox(options, unitOfWork, logger);
    const idempotency = new Idempotency(options, unitOfWork);
    const configs = new ModelResourceConfigs(secretBoxOf(env.LOCI_SECRET_KEYS), env);
    const repository = new ResourcesRepository(unitOfWork);
    const users = new AllResourceUsers();
    new ComposedResources(repository, users);
    this.revisions = new RegistryRevisions(unitOfWork, outbox);
    this.lookup = new ResourceLookup(repository);
    const claims = new ProbeClaims(env, repository, this.revisions, logger);
    const ready = new ReadyResources();
    const signals: Pick<Signals, 'tell'> = {
      tell: ({ subject }, payload) => void this.told.push({ subject, payload }),
    };
    this.probes = new ResourceProbes(
      ...([env, claims, repository, this.revisions, prober, ready, logger] as const),
    );
    this.resources = new ResourcesService(
      ...([repository, configs, this.lookup, users, this.probes, this.revisions] as const),
      ...([idempotency, outbox, signals, env] as const),
    );
    this.memory = new MemoryConfigurationService(
      ...([new MemoryConfigurationRepository(unitOfWork), this.lookup, this.revisions] as const),
      ...([idempotency, outbox, users, ready] as const),
    );
    this.registry = new RegistryService(unitOfWork, this.revisions, this.resources, this.memory);
    this.rotation = new SecretRotation(repository, configs, this.revisions, logger);
    this.forbiddenReferences = new ForbiddenReferences(env, repository, configs, this.revisions);
    this.file = new ConfigurationFileService(
      ...([env, new FileImport(this.resources, configs, this.memory, logger)] as const),
      ...([this.resources, this.memory, this.revisions] as const),
      ...([new SeenEntriesRepository(), unitOfWork, logger] as const),
    );
  }

  static async open(options: ReplicaOptions): Promise<Replica> {
    const logger = new RecordingLogger();
    const database = await Database.connect(
      { url: options.url, schema: SCHEMA, entities: ENTITIES, poolSize: 6 },
      logger,
    );
    return new Replica(database, options);
  }

  /** Lets go of the database as a process that was killed does: what it was doing is never finished. */
  async kill(): Promise<void> {
    await this.#database.close();
  }

  async close(): Promise<void> {
    await this.probes.onModuleDestroy();
    await this.file.onModuleDestroy();
    await this.#database.close();
  }
}
