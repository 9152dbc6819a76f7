import {
  type IngestedSet,
  MAX_DISABLED_CATEGORIES,
  MAX_INGESTED_CATEGORIES,
  MAX_INGESTED_SETS,
  type SetName,
  type SetTypeName,
} from '@loci/contracts';
import { firstWithin } from '@loci/platform';
import { boolean, byDefault, listOf, nullish, optional, parsedFrom, Unreadable } from '@loci/platform/schema';
import { DisableCategoryBody } from '../semantic-categories/semantic-categories.wire.js';
import { CreateSetTypeBody, GetSetIdBody, setId } from '../semantic-sets/semantic-sets.wire.js';
import { request } from '../wire/schema/request.js';

const categoryName = DisableCategoryBody.schema.properties.category_name;

export const disabledNames = listOf(categoryName, { max: MAX_DISABLED_CATEGORIES });

/**
 * A set in a file: its id has the names of organization and project in it, and would mean nothing elsewhere, unless a
 * client made it up.
 */
export class SetNameLine extends request('SetNameLine', {
  is_org_level: byDefault(boolean, false),

  /** Values by tag; the default set of its level has none. */
  tags: GetSetIdBody.schema.properties.set_metadata,

  /** Only of a set whose id a client made up. */
  id: optional(setId),
}) {}

export class SetTypeNameLine extends request('SetTypeNameLine', {
  is_org_level: byDefault(boolean, false),
  tags: CreateSetTypeBody.schema.properties.metadata_tags,
}) {}

class IngestedLine extends request('IngestedLine', {
  ...SetNameLine.schema.properties,
  /** Absent = all that there are. */
  categories: nullish(listOf(categoryName, { max: MAX_INGESTED_CATEGORIES })),
}) {}

export const setName = SetNameLine.schema;

const TOO_MANY_CATEGORIES = Unreadable.as({
  type: 'too_long',
  msg: `The sets should name at most ${MAX_INGESTED_CATEGORIES} categories together; leave sets out: the message is learned from again for them`,
});

const ingestedLines = listOf(IngestedLine.schema, { max: MAX_INGESTED_SETS });

/** What a line says, as far as it may say it. */
export const ingestedSets = parsedFrom<readonly IngestedLine[], typeof ingestedLines>(
  ingestedLines,
  ingestedLines,
  (sets) => (withinBounds(sets).length < sets.length ? TOO_MANY_CATEGORIES : sets),
);

/** As many of the sets as a line may name. */
const withinBounds = <Named extends Pick<IngestedSet, 'categories'>>(sets: readonly Named[]): Named[] =>
  firstWithin(sets, {
    maxItems: MAX_INGESTED_SETS,
    maxSize: MAX_INGESTED_CATEGORIES,
    sizeOf: ({ categories = [] }) => categories.length,
  });

export const fromSetName = ({ isOrgLevel, tags, id }: SetName): SetNameLine => ({
  is_org_level: isOrgLevel,
  tags,
  ...(id !== undefined && { id }),
});
export const toSetName = ({ is_org_level: isOrgLevel, tags, id }: SetNameLine): SetName => ({
  isOrgLevel,
  tags,
  ...(id !== undefined && { id }),
});

export const fromSetTypeName = ({ isOrgLevel, tags }: SetTypeName): SetTypeNameLine => ({
  is_org_level: isOrgLevel,
  tags,
});
export const toSetTypeName = ({ is_org_level: isOrgLevel, tags }: SetTypeNameLine): SetTypeName => ({
  isOrgLevel,
  tags,
});

/** For the sets that are left out, the message is learned from again. */
export const fromIngested = (sets: readonly IngestedSet[]): IngestedLine[] =>
  withinBounds(sets).map((set) => ({
    ...fromSetName(set),
    ...(set.categories && { categories: set.categories }),
  }));
export const toIngested = (line: IngestedLine): IngestedSet => ({
  ...toSetName(line),
  ...(line.categories && { categories: line.categories }),
});
