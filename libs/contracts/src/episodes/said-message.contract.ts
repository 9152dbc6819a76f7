import { IsObject, IsOptional, IsString, Matches } from 'class-validator';
import { INSTANT, type Instant } from '../instant.js';

/** What was said, before it is an episode. */
export class SaidMessage {
  @IsString()
  readonly content!: string;

  @IsString()
  readonly producerId!: string;

  @IsString()
  readonly producerRole!: string;

  @IsString()
  readonly producedForId!: string;

  /** When it was said; absent = when it is stored, or now where it is not. */
  @IsOptional()
  @Matches(INSTANT)
  readonly createdAt?: Instant | undefined;

  @IsObject()
  readonly metadata!: Readonly<Record<string, string>>;
}
