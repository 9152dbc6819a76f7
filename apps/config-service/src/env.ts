import { ModelCallerEnv } from '@loci/models';

import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

export class ConfigServiceEnv extends ModelCallerEnv {
  /** Where PostgreSQL is, with the credentials of this service. */
  @IsString()
  DATABASE_URL!: string;

  /** PostgreSQL itself, where DATABASE_URL is a pooler by transaction: for notifications and migrations. */
  @IsOptional()
  @IsString()
  DATABASE_DIRECT_URL?: string;

  /** Where NATS is, with the credentials of this service. */
  @IsString()
  NATS_URL!: string;

  /** Connections to PostgreSQL. */
  @IsInt()
  @Min(1)
  @Max(200)
  DATABASE_POOL_SIZE: number = 8;

  /** Further connections, for the look-up of API keys alone: no burst of other requests keeps callers from being known. */
  @IsInt()
  @Min(1)
  @Max(50)
  KEY_LOOKUP_POOL_SIZE: number = 2;

  /**
   * Whether a project is added whose name, or whose organization's, looks like another one (UTS 39): `refuse` = 409
   * `name_confusable`. `allow` is for names that programs make of letters and digits that look alike, such as `1` and `l`.
   */
  @IsIn(['refuse', 'allow'])
  LOOK_ALIKE_NAMES: 'refuse' | 'allow' = 'refuse';

  /** Projects that an organization may have; one that is being deleted counts until its data are erased. */
  @IsInt()
  @Min(0)
  QUOTA_PROJECTS: number = 10_000;

  /** API keys that an organization may have, those of its projects included; revoked and expired ones do not count. */
  @IsInt()
  @Min(0)
  QUOTA_KEYS: number = 10_000;

  /** Webhooks that an organization may have, those of its projects included. */
  @IsInt()
  @Min(0)
  QUOTA_WEBHOOKS: number = 20;

  /** How often deletions that are not confirmed yet are announced again. */
  @IsInt()
  @Min(100)
  DELETION_SWEEP_INTERVAL_MS: number = 5_000;

  /** How long a deletion may wait for its confirmation before it is announced again. */
  @IsInt()
  @Min(100)
  DELETION_PATIENCE_MS: number = 15_000;

  /** The configuration file; none: the database alone. */
  @IsOptional()
  @IsString()
  MEMORY_CONFIG?: string;

  /** How often a change is looked for that the configuration file does not have yet. */
  @IsInt()
  @Min(100)
  CONFIG_FILE_SYNC_INTERVAL_MS: number = 1_000;

  /** How long the add or the retry of a resource waits for its probe before it answers `pending`. */
  @IsInt()
  @Min(0)
  @Max(9_000)
  MODEL_PROBE_WAIT_MS: number = 5_000;

  /** How long a probe may take. */
  @IsInt()
  @Min(100)
  MODEL_PROBE_TIMEOUT_MS: number = 20_000;

  /** How long after its first failure a resource is probed again; the pause doubles each time. */
  @IsInt()
  @Min(100)
  MODEL_PROBE_RETRY_MIN_MS: number = 2_000;

  /** The longest pause between two probes of a failed resource. */
  @IsInt()
  @Min(100)
  MODEL_PROBE_RETRY_MAX_MS: number = 300_000;

  /** How often resources are looked for whose probe is due. */
  @IsInt()
  @Min(100)
  MODEL_PROBE_SWEEP_INTERVAL_MS: number = 1_000;

  /** How long a record of who did what is kept, decided when it is made: another value is for the records that follow. */
  @IsInt()
  @Min(1)
  @Max(36_500)
  AUDIT_RETENTION_DAYS: number = 365;

  /** How long events are kept for clients that take up the stream of events where they left it. */
  @IsInt()
  @Min(1)
  @Max(2_160)
  EVENT_RETENTION_HOURS: number = 168;

  /** How long the receiver of a webhook may take to answer. */
  @IsInt()
  @Min(100)
  @Max(60_000)
  WEBHOOK_TIMEOUT_MS: number = 15_000;

  /** How long after the first failure an event is delivered to a webhook again; the pause doubles each time. */
  @IsInt()
  @Min(100)
  WEBHOOK_RETRY_MIN_MS: number = 5_000;

  /** The longest pause between two deliveries of an event to a webhook. */
  @IsInt()
  @Min(100)
  WEBHOOK_RETRY_MAX_MS: number = 3_600_000;

  /** How long a webhook may take nothing before it is disabled. */
  @IsInt()
  @Min(1)
  @Max(2_160)
  WEBHOOK_DISABLE_AFTER_HOURS: number = 72;

  /** How often webhooks are looked for that have something to get. */
  @IsInt()
  @Min(100)
  WEBHOOK_SWEEP_INTERVAL_MS: number = 1_000;

  /** How often the end of the chain of audit records is logged, if it has grown. */
  @IsInt()
  @Min(1_000)
  AUDIT_ANCHOR_INTERVAL_MS: number = 600_000;
}

/** What migrating needs, and no more. */
export class MigrationEnv {
  /** Where PostgreSQL is, with the credentials of this service. */
  @IsString()
  DATABASE_URL!: string;

  /** PostgreSQL itself, where DATABASE_URL is a pooler by transaction: for notifications and migrations. */
  @IsOptional()
  @IsString()
  DATABASE_DIRECT_URL?: string;
}
