import { ProbedProcessEnv } from '@loci/platform';
import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';

export class ConfigServiceEnv extends ProbedProcessEnv {
  @IsString()
  DATABASE_URL!: string;

  @IsString()
  NATS_URL!: string;

  /** Copies that the NATS cluster keeps of each stream: 3 where there are three servers. */
  @IsInt()
  @IsIn([1, 3, 5])
  NATS_STREAM_REPLICAS: number = 1;

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
}

/** What migrating needs, and no more. */
export class MigrationEnv {
  @IsString()
  DATABASE_URL!: string;
}
