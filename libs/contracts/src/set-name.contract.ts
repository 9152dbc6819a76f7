import { IsArray, IsBoolean, IsObject, IsOptional, IsString, IsUUID } from 'class-validator';

/** A set by its uid: the one that is, not one that is made again under its name. */
export class SetReference {
  @IsUUID()
  readonly setUid!: string;
}

/** A set by what makes it the one it is, whatever organization and project it is in. */
export class SetName {
  @IsBoolean()
  readonly isOrgLevel!: boolean;

  /** Values by tag; the default set of its level has none. */
  @IsObject()
  readonly tags!: Readonly<Record<string, string>>;

  /** Of a set of a project whose id a client made up: it does not follow from the tags, of which there are none. */
  @IsOptional()
  @IsString()
  readonly id?: string | undefined;
}

/** Sets that an import names for one message at most, and categories of all of them together. */
export const MAX_INGESTED_SETS = 1_000;
export const MAX_INGESTED_CATEGORIES = 2_000;

/** A set that a message was ingested for. */
export class IngestedSet extends SetName {
  /** The categories that it was ingested for; absent = all that there are. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly categories?: readonly string[] | undefined;
}
