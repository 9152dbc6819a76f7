import { ProbedProcessEnv } from '@loci/platform';
import { IsInt, IsString, Max, Min } from 'class-validator';

export class ConfigServiceEnv extends ProbedProcessEnv {
  @IsString()
  DATABASE_URL!: string;

  @IsString()
  NATS_URL!: string;

  @IsInt()
  @Min(1)
  @Max(200)
  DATABASE_POOL_SIZE: number = 8;

  /** How often deletions that nobody confirmed yet are announced again. */
  @IsInt()
  @Min(100)
  DELETION_SWEEP_INTERVAL_MS: number = 5_000;

  /** How long a deletion may wait for its confirmation before it is announced again. */
  @IsInt()
  @Min(100)
  DELETION_PATIENCE_MS: number = 15_000;

  /** How long it is remembered who did what. */
  @IsInt()
  @Min(1)
  AUDIT_RETENTION_DAYS: number = 365;
}

/** What migrating needs, and no more. */
export class MigrationEnv {
  @IsString()
  DATABASE_URL!: string;
}
