import { VectorServiceEnv } from '@loci/indexing';
import { IsInt, IsOptional, IsNumber, IsString, Matches, Max, Min } from 'class-validator';
import { IsBuiltInCategories } from './categories/is-built-in-categories.js';

/** Settings of both processes of the semantic service. */
export class SemanticServiceEnv extends VectorServiceEnv {
  /** Built-in categories of the set of a project, by name, with commas between them. */
  @IsBuiltInCategories()
  PROJECT_SET_CATEGORIES: string = 'profile';

  /** Built-in categories of the set of an organization. */
  @IsBuiltInCategories()
  ORG_SET_CATEGORIES: string = '';

  /** Built-in categories of the set of a producer. */
  @IsBuiltInCategories()
  USER_SET_CATEGORIES: string = '';

  /** Sets that a worker process works on at a time, and calls that it makes to one language model. */
  @IsInt()
  @Min(1)
  @Max(256)
  INGESTION_CONCURRENCY: number = 12;

  /** The share of INGESTION_CONCURRENCY that sets of one organization may take up; the rest is left to others. */
  @IsNumber()
  @Min(0)
  @Max(1)
  INGESTION_ORG_SHARE: number = 0.75;

  /** The share of INGESTION_CONCURRENCY that sets of one language model may take up: one that hangs leaves the rest. */
  @IsNumber()
  @Min(0)
  @Max(1)
  INGESTION_MODEL_SHARE: number = 0.75;

  /** Organizations that get more turns than others, as `acme=3,globex=2`: others have the weight 1. */
  @Matches(/^(?:[^=,]+=[1-9]\d{0,3}(?:,[^=,]+=[1-9]\d{0,3})*)?$/)
  INGESTION_ORG_WEIGHTS: string = '';

  /** How long a set belongs to a worker that does not renew its lease. */
  @IsInt()
  @Min(500)
  INGESTION_LEASE_MS: number = 30_000;

  /** How long a category pauses after its first failure; twice as long after each further one, up to five minutes. */
  @IsInt()
  @Min(1)
  INGESTION_RETRY_PAUSE_MS: number = 2_000;

  /**
   * Semantic sets that an organization may have; there is one for each producer. Messages for which a set is refused
   * are ingested into it when there is room.
   */
  @IsInt()
  @Min(0)
  QUOTA_SETS: number = 1_000_000;

  /** Set types that one organization may have, in all its projects together; each message is compared with those of its project. */
  @IsInt()
  @Min(0)
  QUOTA_SET_TYPES: number = 10_000;

  /** Categories that one set may have, those of templates included; each lengthens the calls for its messages. */
  @IsInt()
  @Min(0)
  QUOTA_CATEGORIES_PER_SET: number = 100;

  /** How often messages are looked for that wait for a set. */
  @IsInt()
  @Min(100)
  QUOTA_SWEEP_INTERVAL_MS: number = 5_000;

  /** Calls of language models that one organization may make in a day of UTC, summaries included; then these and ingestion wait for the next. */
  @IsInt()
  @Min(1)
  QUOTA_MODEL_CALLS_PER_DAY: number = 100_000;

  /** Tokens, in and out, that these calls may take in a day; calls under way when they are used up still end. */
  @IsInt()
  @Min(1)
  QUOTA_MODEL_TOKENS_PER_DAY: number = 200_000_000;

  /** What these calls may cost in a day, in the currency of the prices of the models; models without prices cost nothing. */
  @IsInt()
  @Min(1)
  QUOTA_MODEL_COST_PER_DAY: number = 1_000_000;

  /** Tokens of what is known already that the model is shown beside messages; what has most to do with them comes first. */
  @IsInt()
  @Min(0)
  @Max(100_000)
  INGESTION_KNOWN_TOKENS: number = 3_000;

  /** The share of the features that the model is shown by which one consolidation may make them fewer. */
  @IsNumber()
  @Min(0)
  @Max(1)
  CONSOLIDATION_MAX_SHARE: number = 0.5;

  /** Open proposals that a set may have; what models propose beyond it goes to a dead letter. */
  @IsInt()
  @Min(0)
  MAX_PROPOSALS_PER_SET: number = 100;

  /** Calls of models that are kept of a project, of which failures are a tenth at most; beyond it, its oldest ones go. */
  @IsInt()
  @Min(1)
  @Max(100_000)
  MAX_MODEL_CALLS_PER_PROJECT: number = 1_000;

  /** The weights of {@link INGESTION_ORG_WEIGHTS}, by id. */
  get orgWeights(): ReadonlyMap<string, number> {
    const pairs = this.INGESTION_ORG_WEIGHTS.split(',').map((pair) => pair.split('='));
    return new Map(pairs.map(([id = '', weight]) => [id, Number(weight)]));
  }
}

/** What migrating needs, and no more. */
export class MigrationEnv {
  @IsString()
  DATABASE_URL!: string;

  /** PostgreSQL itself, where DATABASE_URL is a pooler by transaction: for notifications and migrations. */
  @IsOptional()
  @IsString()
  DATABASE_DIRECT_URL?: string;
}
