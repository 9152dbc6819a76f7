import { IsEnvBoolean, ProbedProcessEnv } from '@loci/platform';
import { IsInt, IsNumber, IsOptional, IsString, Max, Min } from 'class-validator';

/** Settings of both processes of the episodic service. */
export class EpisodicServiceEnv extends ProbedProcessEnv {
  @IsString()
  DATABASE_URL!: string;

  @IsString()
  NATS_URL!: string;

  @IsString()
  QDRANT_URL!: string;

  @IsOptional()
  @IsString()
  QDRANT_API_KEY?: string;

  /** Whether a new collection is searched on int8 copies of the vectors: a quarter of the memory. */
  @IsEnvBoolean()
  QDRANT_QUANTIZED: boolean = false;

  @IsInt()
  @Min(1)
  @Max(200)
  DATABASE_POOL_SIZE: number = 16;

  /** Whether adding to a project that does not exist creates it. */
  @IsEnvBoolean()
  AUTO_CREATE_PROJECTS: boolean = true;

  /** How much text the short-term window of a project holds. */
  @IsInt()
  @Min(1)
  SHORT_TERM_CAPACITY_CHARS: number = 64_000;

  /** Threads that the embedded embedder computes on. */
  @IsInt()
  @Min(1)
  @Max(64)
  EMBEDDER_THREADS: number = 1;

  /** The share of meaning, against words, in the own score of an episode. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_DENSE: number = 0.4;

  /** What an episode gains by the better score of the two beside it, as a share of that. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_NEIGHBOURS: number = 0.3;

  /** What an episode gains by the best score of its session, as a share of that. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_SESSION: number = 0.15;

  /** What an episode gains when the query names its producer and no other. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_PARTICIPANT: number = 0.05;

  /** What an episode gains when it is of a time that the query names. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_TIME: number = 0.1;

  /** How often the worker looks for episodes without vectors and for a lost vector index. */
  @IsInt()
  @Min(50)
  SWEEP_INTERVAL_MS: number = 2_000;

  /** How long an episode may stay without its vector before the sweeper orders it again. */
  @IsInt()
  @Min(50)
  SWEEP_PATIENCE_MS: number = 10_000;

  /** How often the worker compares the numbers of episodes and vectors, and everything when they differ. */
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
