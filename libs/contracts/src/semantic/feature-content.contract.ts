import { IsObject, IsOptional, IsString } from 'class-validator';

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
