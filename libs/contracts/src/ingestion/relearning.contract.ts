import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsNumber, IsOptional, Matches, ValidateNested } from 'class-validator';
import { INSTANT, type Instant } from '../instant.js';
import { work } from '../message.js';
import { operation } from '../operation.js';
import { ProjectReference } from '../projects/project.contract.js';
import { RowPosition } from '../row-position.contract.js';
import { SemanticRequest, SemanticWriteRequest } from '../semantic/semantic-request.contract.js';

/** What learning the messages of a project again takes. */
export class RelearningCost {
  /** Messages that sets of the project have learned from, each as often as sets did; some may be deleted since. */
  @IsInt()
  readonly messages!: number;

  /** Features without a subject that only models made: they are taken away. */
  @IsInt()
  readonly features!: number;

  /** Calls of models, about. */
  @IsInt()
  readonly calls!: number;

  /** What learning these messages once has taken so far on average, repairs and consolidations included. */
  @IsInt()
  readonly inputTokens!: number;

  @IsInt()
  readonly outputTokens!: number;

  /** In the currency of the prices at that time; absent without prices. */
  @IsOptional()
  @IsNumber()
  readonly cost?: number | undefined;
}

/** A project, and when its messages were ordered to be learned again. */
export class RelearningReference extends ProjectReference {
  /** What was learned later is as it is to be. */
  @Matches(INSTANT)
  readonly startedAt!: Instant;

  /** Behind which episode the next messages are put back; absent = from the first. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RowPosition)
  readonly after?: RowPosition | undefined;
}

/** How far learning the messages of a project again is. */
export class RelearningProgress {
  /** Whether something of it is left to do. */
  @IsBoolean()
  readonly isRunning!: boolean;

  /** When it was ordered last; absent when it never was. */
  @IsOptional()
  @Matches(INSTANT)
  readonly startedAt?: Instant | undefined;

  /** When the last message was put back into the backlog; absent before. */
  @IsOptional()
  @Matches(INSTANT)
  readonly putBackAt?: Instant | undefined;

  /** Features that are still to be taken away. */
  @IsInt()
  readonly featuresLeft!: number;

  /** Messages from before it was ordered that wait in the backlog, each as often as sets learn from it. */
  @IsInt()
  readonly messagesLeft!: number;
}

/** Changes nothing. Errors: `project_not_found`. */
export const previewRelearning = operation('semantic', 'relearning.preview', {
  request: SemanticRequest,
  response: RelearningCost,
});

/**
 * The facts of the project are about users from now on, and its messages are learned again: those of its own sets, with
 * what clients wrote left as it is. Errors: `project_not_found`; `producer_not_allowed` for a key that is bound to a
 * producer.
 */
export const startRelearning = operation('semantic', 'relearning.start', {
  request: SemanticWriteRequest,
  response: RelearningCost,
});

/** Errors: `project_not_found`. */
export const getRelearning = operation('semantic', 'relearning.get', {
  request: SemanticRequest,
  response: RelearningProgress,
});

/** Work message: to take the next features away, or else to put the next messages back into the backlog. */
export const relearnProject = work('semantic', 'project.relearn', RelearningReference);
