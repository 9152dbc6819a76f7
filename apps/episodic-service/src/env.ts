import { VectorServiceEnv } from '@loci/indexing';
import { IsNumber, IsOptional, IsString, Max, Min } from 'class-validator';

/** Settings of both processes of the episodic service. */
export class EpisodicServiceEnv extends VectorServiceEnv {
  /** The share of meaning, against words, in the own score of an episode. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_DENSE: number = 0.4;

  /** What an episode gains by the better score of the two beside it, as a share of that; less above 300 characters. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_NEIGHBOURS: number = 0.3;

  /** The same for the two that are two away. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_SECOND_NEIGHBOURS: number = 0.15;

  /** What an episode gains by the best score of its session, as a share of that. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_SESSION: number = 0.2;

  /** What an episode gains when the query names its producer and no other. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_PARTICIPANT: number = 0.2;

  /** What an episode gains when it is of a time that the query names. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_TIME: number = 0.15;

  /** What an episode of a user gains when the query speaks in the first person. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_FIRST_PERSON: number = 0.2;

  /** What an episode gains that was just said; half of it after each half-life. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_RECENCY: number = 0.02;

  /**
   * How much more a new episode counts than a very old one when the query asks how it is with the person who asks ("Where do
   * I live?"), or how it was before: the other way round.
   */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_STATE: number = 0.2;

  /** What an episode that announces a change ("moved", "no longer") gains by such a query, or loses when that asks how it was. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_CHANGE: number = 0.15;

  /** What an episode of 200 characters at most that ends with a question mark loses when the query wants an answer. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_QUESTION: number = 0.08;

  /**
   * How far the newer of two statements of one speaker about the same thing is put before the older when the query asks how it
   * is ("Where does Ann live?"), and the older before the newer when it asks how it was before; 0 = not at all.
   */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_STATEMENT: number = 0.02;

  /** What an episode gains whose text is the text of the query, unless the query wants an answer. */
  @IsNumber()
  @Min(0)
  @Max(1)
  SEARCH_WEIGHT_EXACT: number = 1;

  /** Days after which recency counts half; 0 = recency does not count. */
  @IsNumber()
  @Min(0)
  SEARCH_RECENCY_HALF_LIFE_DAYS: number = 90;

  /**
   * Metadata keys that name the session of a message, separated by commas; the first that a message has counts. Messages of
   * one session are one conversation: neighbours and context of a hit belong to it. In force for what is added from then on.
   */
  @IsString()
  CONVERSATION_KEYS: string =
    'session_id,session,conversation_id,conversation,thread_id,thread,chat_id,channel_id,channel,run_id';
}

/** What migrating needs, and no more. */
export class MigrationEnv {
  @IsString()
  DATABASE_URL!: string;

  /** PostgreSQL itself, where DATABASE_URL is a pooler by transaction: for notifications and migrations. */
  @IsOptional()
  @IsString()
  DATABASE_DIRECT_URL?: string;
}
