import { ModelCallerEnv } from '@loci/models';
import { IsEnvBoolean } from '@loci/platform';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

/** Settings of both processes of a service that keeps vectors of what it stores. Also the injection token. */
export class VectorServiceEnv extends ModelCallerEnv {
  /** Where PostgreSQL is, with the credentials of this service. */
  @IsString()
  DATABASE_URL!: string;

  /** PostgreSQL itself, where DATABASE_URL is a pooler by transaction: for notifications and migrations. */
  @IsOptional()
  @IsString()
  DATABASE_DIRECT_URL?: string;

  /** Connections to PostgreSQL. */
  @IsInt()
  @Min(1)
  @Max(200)
  DATABASE_POOL_SIZE: number = 16;

  /** Where NATS is, with the credentials of this service. */
  @IsString()
  NATS_URL!: string;

  /** Where Qdrant is. */
  @IsString()
  QDRANT_URL!: string;

  /** What Qdrant asks for. */
  @IsOptional()
  @IsString()
  QDRANT_API_KEY?: string;

  /** Copies that the Qdrant cluster keeps of each shard, for collections that are made from now on; absent = 1. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(16)
  QDRANT_REPLICATION_FACTOR?: number;

  /** Nodes of the Qdrant cluster: a node that knows of fewer is not believed when it says that an index is lost. */
  @IsInt()
  @Min(1)
  @Max(1024)
  QDRANT_PEERS: number = 1;

  /** Shards of collections that are made from now on; absent = one for each node. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(256)
  QDRANT_SHARDS?: number;

  /** Whether collections that are made from now on are searched on int8 copies: a quarter of the memory, then rescored. */
  @IsEnvBoolean()
  QDRANT_QUANTIZED: boolean = false;

  /** Whether writing to a project that does not exist creates it. */
  @IsEnvBoolean()
  AUTO_CREATE_PROJECTS: boolean = true;

  /** How long a model whose calls keep failing is left alone before it is tried again. */
  @IsInt()
  @Min(50)
  MODEL_CIRCUIT_PAUSE_MS: number = 30_000;

  /**
   * Searches, lists and exports that one process works on at the same time. An organization has half of them at most; those
   * that wait are taken in turn, one of each organization.
   */
  @IsInt()
  @Min(1)
  @Max(1_000)
  READS_AT_ONCE: number = 16;

  /** Threads that the embedded embedder computes on. */
  @IsInt()
  @Min(1)
  @Max(64)
  EMBEDDER_THREADS: number = 1;

  /** How often the worker looks for what has no vector yet and for a lost vector index. */
  @IsInt()
  @Min(50)
  SWEEP_INTERVAL_MS: number = 5_000;

  /**
   * How long a search waits at most for the vectors of messages or features that have none yet. What does not fit competes
   * by its words, and `x-degraded` says how many.
   */
  @IsInt()
  @Min(0)
  @Max(60_000)
  SEARCH_INDEX_BUDGET_MS: number = 500;

  /** Answers in a row that an index is missing before it is given up and built again. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  INDEX_LOSS_CONFIRMATIONS: number = 5;

  /** Time between the first and the last of these answers, at least. */
  @IsInt()
  @Min(0)
  INDEX_LOSS_SPAN_MS: number = 20_000;

  /**
   * A lost index with more vectors than this is not built again by itself: to embed so much takes longer, or costs more, than
   * to bring a snapshot back. It waits for that, or until this is raised.
   */
  @IsInt()
  @Min(0)
  INDEX_REBUILD_MAX_VECTORS: number = 1_000_000;

  /** How long anything may stay without its vector before the sweeper enqueues it again. */
  @IsInt()
  @Min(50)
  SWEEP_PATIENCE_MS: number = 10_000;

  /** How long work that one worker does alone (vectors by another embedder, a summary, a comparison with the index) belongs to one that does not renew its lease. */
  @IsInt()
  @Min(500)
  LEASE_MS: number = 30_000;

  /** How long the vectors of a former embedder stay: searches and writes that began before have ended by then. */
  @IsInt()
  @Min(50)
  RETIREMENT_MS: number = 60_000;

  /** How often a worker compares a sample of the vectors with the truth, and everything when they differ. */
  @IsInt()
  @Min(50)
  RECONCILE_CHECK_INTERVAL_MS: number = 30_000;

  /** How long after every vector was compared with the truth a worker begins to compare all again, at a slow pace. */
  @IsInt()
  @Min(1_000)
  RECONCILE_INTERVAL_MS: number = 3_600_000;
}
