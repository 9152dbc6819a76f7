import { IsObject, IsOptional, IsString } from 'class-validator';

/**
 * The most messages that a feature cites, however often it is said: of more, those said last. What is written into an export
 * is taken by an import, which has the same bounds.
 */
export const MAX_FEATURE_CITATIONS = 5_000;

/** The most that a citation keeps of the metadata of its message, keys and values together; whose message it is it always keeps. */
export const MAX_CITED_METADATA_CHARS = 16_384;

/** The most that all citations of a feature keep of these: of more, those of the messages said last are cited. */
export const MAX_CITATIONS_METADATA_CHARS = 2_000_000;

/** A message may say of both ends of a time, and so may a client. */
export const MAX_FEATURE_DATES = 2 * MAX_FEATURE_CITATIONS + 2;

/** The most others that one names as contradicting it: of what contradicts everything, no list is read. */
export const MAX_FEATURE_CONTRADICTIONS = 20;

/** The most keys of the metadata of a feature, which has those of all clients that said it: of more, those said last. */
export const MAX_FEATURE_METADATA_KEYS = 1_000;

/** What a feature says: under a category and a tag, a name with a value. */
export class FeatureContent {
  /**
   * Whom it is about: the id of a user, or the name that the messages give another person; empty = it is about no one in
   * particular; absent where nothing says.
   */
  @IsOptional()
  @IsString()
  readonly subject?: string | undefined;

  @IsString()
  readonly category!: string;

  @IsString()
  readonly tag!: string;

  @IsString()
  readonly name!: string;

  @IsString()
  readonly value!: string;

  @IsObject()
  readonly metadata!: Readonly<Record<string, string>>;
}
