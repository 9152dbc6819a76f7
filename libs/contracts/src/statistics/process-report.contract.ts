import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsObject,
  IsString,
  IsUUID,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { signal } from '../message.js';

/** What is counted by minute. */
export const COUNTED_BY_MINUTE = [
  'adds',
  'failed_adds',
  'searches',
  'failed_searches',
  'model_calls',
  'failed_model_calls',
  'input_tokens',
  'output_tokens',
] as const;

export type CountedByMinute = (typeof COUNTED_BY_MINUTE)[number];

/** What is timed by minute: how long requests take, and how old a message is when its vector is in the index. */
export const TIMED_BY_MINUTE = ['adds', 'searches', 'findable'] as const;

export type TimedByMinute = (typeof TIMED_BY_MINUTE)[number];

/** So long each process keeps its figures, and each gateway those of all. */
export const KEPT_MINUTES = 60;

/** What one process has counted and timed in one minute. */
export class MinuteFigures {
  /** Minutes since 1970. */
  @IsInt()
  @Min(0)
  readonly minute!: number;

  @IsObject()
  readonly counts!: Readonly<Partial<Record<CountedByMinute, number>>>;

  /** How many took how long: pairs of a step (`Minutes` of `libs/platform`) and a number. */
  @IsObject()
  readonly durations!: Readonly<
    Partial<Record<TimedByMinute, readonly (readonly [step: number, count: number])[]>>
  >;
}

/** A process that runs, and what it did of late. */
export class ProcessReport {
  /** Another one each time it starts. */
  @IsUUID()
  readonly id!: string;

  @IsString()
  @MaxLength(255)
  readonly service!: string;

  @IsString()
  @MaxLength(255)
  readonly host!: string;

  @IsString()
  @MaxLength(64)
  readonly version!: string;

  /** Milliseconds since 1970. */
  @IsInt()
  readonly startedAt!: number;

  /** It stops now. */
  @IsBoolean()
  readonly isEnding!: boolean;

  /** As they are now: they replace what it said of these minutes before. */
  @IsArray()
  @ArrayMaxSize(KEPT_MINUTES)
  @ValidateNested({ each: true })
  @Type(() => MinuteFigures)
  readonly minutes!: readonly MinuteFigures[];
}

/** Every process says every few seconds that it runs, with its last minutes; the gateways hear it. */
export const processReported = signal('process.reported', ProcessReport);

export class ReportRequest {}

/** A gateway asks all processes for all the minutes that they keep: it has started, or missed some. They come with their next reports. */
export const reportsAsked = signal('process.asked', ReportRequest);
