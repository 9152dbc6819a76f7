import { Type } from 'class-transformer';
import { IsBoolean, IsObject, IsOptional, IsString, IsUUID, Matches, ValidateNested } from 'class-validator';
import { Author } from '../author.js';
import { INSTANT, type Instant } from '../instant.js';

/** What is known of an episode besides what was said in it. */
export class EpisodeFacts {
  @IsUUID()
  readonly uid!: string;

  @IsString()
  readonly producerId!: string;

  @IsString()
  readonly producerRole!: string;

  @IsString()
  readonly producedForId!: string;

  @Matches(INSTANT)
  readonly createdAt!: Instant;

  @IsObject()
  readonly metadata!: Readonly<Record<string, string>>;

  /** Whether its author speaks for its producer alone, as one whose key is bound to a producer does. Absent = no. */
  @IsOptional()
  @IsBoolean()
  readonly isBound?: boolean | undefined;
}

export class Episode extends EpisodeFacts {
  @IsString()
  readonly content!: string;

  /** Who wrote it, without a name. Absent where that was not asked for or is not known. */
  @IsOptional()
  @ValidateNested()
  @Type(() => Author)
  readonly author?: Author | undefined;

  /** From then on no read shows it, and it is deleted; absent = never. */
  @IsOptional()
  @Matches(INSTANT)
  readonly expiresAt?: Instant | undefined;
}
