import { IsEnvBoolean, ProbedProcessEnv } from '@loci/platform';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { IsBuiltInCategories } from './categories/is-built-in-categories.js';

/** Settings of both processes of the semantic service. */
export class SemanticServiceEnv extends ProbedProcessEnv {
  @IsString()
  DATABASE_URL!: string;

  @IsString()
  NATS_URL!: string;

  @IsString()
  QDRANT_URL!: string;

  @IsOptional()
  @IsString()
  QDRANT_API_KEY?: string;

  @IsInt()
  @Min(1)
  @Max(200)
  DATABASE_POOL_SIZE: number = 16;

  /** Whether writing to a project that does not exist creates it. */
  @IsEnvBoolean()
  AUTO_CREATE_PROJECTS: boolean = true;

  /** Built-in categories of the set of a project, by name, with commas between them. */
  @IsBuiltInCategories()
  PROJECT_SET_CATEGORIES: string = 'profile';

  /** Built-in categories of the set of an organization. */
  @IsBuiltInCategories()
  ORG_SET_CATEGORIES: string = '';

  /** Built-in categories of the set of a producer. */
  @IsBuiltInCategories()
  USER_SET_CATEGORIES: string = '';

  /** As in config-service: what secrets of models are encrypted with. */
  @IsString()
  LOCI_SECRET_KEYS!: string;

  /** Whether models may be on this machine or in a private network. */
  @IsEnvBoolean()
  EGRESS_ALLOW_PRIVATE: boolean = false;

  /** Sets that a worker process works on at a time. */
  @IsInt()
  @Min(1)
  @Max(256)
  INGESTION_CONCURRENCY: number = 8;

  /** How long a set stays with a worker that gives no sign of life. */
  @IsInt()
  @Min(500)
  INGESTION_LEASE_MS: number = 30_000;

  /** How long a category pauses after its first failure; twice as long after each further one, up to five minutes. */
  @IsInt()
  @Min(1)
  INGESTION_RETRY_PAUSE_MS: number = 2_000;

  /** Threads that the embedded embedder computes on. */
  @IsInt()
  @Min(1)
  @Max(64)
  EMBEDDER_THREADS: number = 1;

  /** How often the worker looks for features without vectors and for a lost vector index. */
  @IsInt()
  @Min(50)
  SWEEP_INTERVAL_MS: number = 2_000;

  /** How long a feature may stay without its vector before the sweeper orders it again. */
  @IsInt()
  @Min(50)
  SWEEP_PATIENCE_MS: number = 10_000;

  /** How often the worker compares the numbers of features and vectors, and everything when they differ. */
  @IsInt()
  @Min(50)
  RECONCILE_CHECK_INTERVAL_MS: number = 30_000;

  /** How often the worker compares every vector with the truth, even when nothing looks wrong. */
  @IsInt()
  @Min(1_000)
  RECONCILE_INTERVAL_MS: number = 3_600_000;
}

/** What migrating needs, and no more. */
export class MigrationEnv {
  @IsString()
  DATABASE_URL!: string;
}
