import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  ValidateNested,
} from 'class-validator';
import { IdempotencyToken } from '../idempotency.js';
import { INSTANT, type Instant } from '../instant.js';
import { operation } from '../operation.js';
import { Done } from '../projects/project.contract.js';
import { SemanticRequest, SemanticWriteRequest } from '../semantic/semantic-request.contract.js';
import { IngestionPageRequest } from './ingestion-job.contract.js';

/** What a language model may ask for in its reply to messages. */
export const EXTRACTION_COMMANDS = ['add', 'update', 'delete'] as const;

/** A command of a language model that was not carried out. */
export class RefusedCommand {
  /** Absent when the model asked for none that there is. */
  @IsOptional()
  @IsIn(EXTRACTION_COMMANDS)
  readonly command?: (typeof EXTRACTION_COMMANDS)[number] | undefined;

  @IsString()
  readonly tag!: string;

  @IsString()
  readonly feature!: string;

  @IsString()
  readonly reason!: string;
}

/** Messages that a category gave up, or commands drawn from them that it refused, and why. */
export class IngestionDeadLetter {
  @IsUUID()
  readonly id!: string;

  @IsString()
  readonly setId!: string;

  @IsBoolean()
  readonly isOrgLevel!: boolean;

  @IsString()
  readonly category!: string;

  /** The messages of the asking project; a set of the organization may have given up those of others with them. */
  @IsString({ each: true })
  readonly episodeIds!: readonly string[];

  @IsString()
  readonly code!: string;

  @IsString()
  readonly reason!: string;

  @IsInt()
  readonly failures!: number;

  @Matches(INSTANT)
  readonly at!: Instant;

  /** Of messages that are ingested but for single commands: these. Absent where messages were given up. */
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => RefusedCommand)
  readonly commands?: readonly RefusedCommand[] | undefined;
}

export class IngestionDeadLetterList {
  @ValidateNested({ each: true })
  @Type(() => IngestionDeadLetter)
  readonly letters!: readonly IngestionDeadLetter[];

  @IsInt()
  readonly total!: number;
}

export class IngestionDeadLetterRequest extends SemanticRequest {
  @IsString()
  readonly id!: string;
}

export class ChangeIngestionDeadLetterRequest extends IngestionDeadLetterRequest {
  @IsOptional()
  @ValidateNested()
  @Type(() => IdempotencyToken)
  readonly idempotency?: IdempotencyToken | undefined;
}

export class ReplayIngestionDeadLettersRequest extends SemanticWriteRequest {}

export class ReplayedDeadLetters {
  @IsInt()
  readonly replayed!: number;
}

/** Oldest first. */
export const listIngestionDeadLetters = operation('semantic', 'dead-letter.list', {
  request: IngestionPageRequest,
  response: IngestionDeadLetterList,
});

/** Errors: `dead_letter_not_found`. */
export const getIngestionDeadLetter = operation('semantic', 'dead-letter.get', {
  request: IngestionDeadLetterRequest,
  response: IngestionDeadLetter,
});

/** Has the messages of one letter ingested again, with all their tries. Errors: `producer_not_allowed` for a key that is bound to a producer, `dead_letter_not_found`, idempotency. */
export const replayIngestionDeadLetter = operation('semantic', 'dead-letter.replay', {
  request: ChangeIngestionDeadLetterRequest,
  response: Done,
});

/** As `replayIngestionDeadLetter`, for all that there are. Errors: `producer_not_allowed`, idempotency. */
export const replayIngestionDeadLetters = operation('semantic', 'dead-letter.replay-all', {
  request: ReplayIngestionDeadLettersRequest,
  response: ReplayedDeadLetters,
});

/** Gives the messages up for good. Errors: `producer_not_allowed`, `dead_letter_not_found`, idempotency. */
export const dropIngestionDeadLetter = operation('semantic', 'dead-letter.drop', {
  request: ChangeIngestionDeadLetterRequest,
  response: Done,
});
