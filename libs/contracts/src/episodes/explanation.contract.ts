import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNumber, IsOptional, IsString, Min, ValidateNested } from 'class-validator';

/** What a score is the sum of: the two legs of a search, then the cues of the dialogue. */
export const SCORE_PARTS = [
  'meaning',
  'words',
  'neighbours',
  'second_neighbours',
  'session',
  'participant',
  'time',
  'first_person',
  'recency',
  'state',
  'change',
  'question',
  'statement',
  'exact',
] as const;
export type ScorePartName = (typeof SCORE_PARTS)[number];

export class ScorePart {
  @IsIn(SCORE_PARTS)
  readonly name!: ScorePartName;

  /** As it was found: a cosine, a BM25 score; absent for cues, and for a leg that did not find the hit. */
  @IsOptional()
  @IsNumber()
  readonly raw?: number | undefined;

  /** Among all hits of a leg, from 1; absent where `raw` is, and for what has no vector yet. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly rank?: number | undefined;

  /** What the part counts at most. */
  @IsNumber()
  readonly weight!: number;

  /** What it adds to the sum. */
  @IsNumber()
  readonly contribution!: number;
}

/** What a reranker made of a score. */
export class RerankerPart {
  /** As the reranker scored the hit, on a scale of its own. */
  @IsNumber()
  readonly raw!: number;

  /** Among the hits that it read, from 1. */
  @IsInt()
  @Min(1)
  readonly rank!: number;

  /** `raw` on the scale of the hits that it read, 0 to 1. */
  @IsNumber()
  readonly opinion!: number;

  /** Its share of the score: `score = (1 - weight) * scoreBefore + weight * opinion`. */
  @IsNumber()
  readonly weight!: number;

  /** What the sum alone made the score. */
  @IsNumber()
  readonly scoreBefore!: number;
}

export class Explanation {
  /** Empty for a neighbour that another hit brought in. */
  @ValidateNested({ each: true })
  @Type(() => ScorePart)
  readonly parts!: readonly ScorePart[];

  /** Of the contributions; the score, before a reranker, is a logistic function of it. */
  @IsNumber()
  readonly sum!: number;

  /** Absent where no reranker read the hit, and for a neighbour that another hit brought in. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RerankerPart)
  readonly reranker?: RerankerPart | undefined;
}

/** Why a candidate is not among the hits. */
export const CUT_REASONS = ['top_k', 'score_threshold', 'short_term_memory', 'filter_or_deleted'] as const;
export type CutReason = (typeof CUT_REASONS)[number];

/** A candidate that is not among the hits. */
export class CutCandidate {
  @IsString()
  readonly uid!: string;

  @IsNumber()
  readonly score!: number;

  @IsIn(CUT_REASONS)
  readonly reason!: CutReason;
}
