import { ProbedProcessEnv } from '@loci/platform';
import { IsIn, IsInt, IsString } from 'class-validator';

export class StreamsEnv extends ProbedProcessEnv {
  /** Where NATS is, with the credentials of this process. */
  @IsString()
  NATS_URL!: string;

  /** Copies that the NATS cluster keeps of each stream: 3 where there are three servers. */
  @IsInt()
  @IsIn([1, 3, 5])
  NATS_STREAM_REPLICAS: number = 1;
}
