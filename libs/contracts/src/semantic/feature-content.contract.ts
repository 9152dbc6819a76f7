import { IsObject, IsString } from 'class-validator';

/** What a feature says: under a category and a tag, a name with a value. */
export class FeatureContent {
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
