import { type IngestedSet, type SetName, type SetTypeName } from '@loci/contracts';
import { boolean, byDefault, listOf, nullish, optional } from '@loci/platform/schema';
import { DisableCategoryBody } from '../semantic-categories/semantic-categories.wire.js';
import { CreateSetTypeBody, GetSetIdBody, setId } from '../semantic-sets/semantic-sets.wire.js';
import { request } from '../wire/schema/request.js';

/** Lists of a line need no bound of their own: the line has one. */
export const ANY_NUMBER = 1_000_000;

/** As many names of categories as there are. */
export const categoryNames = listOf(DisableCategoryBody.schema.properties.category_name, { max: ANY_NUMBER });

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
  categories: nullish(categoryNames),
}) {}

export const setName = SetNameLine.schema;
export const ingestedSets = listOf(IngestedLine.schema, { max: ANY_NUMBER });

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

export const fromIngested = (set: IngestedSet): IngestedLine => ({
  ...fromSetName(set),
  ...(set.categories && { categories: set.categories }),
});
export const toIngested = (line: IngestedLine): IngestedSet => ({
  ...toSetName(line),
  ...(line.categories && { categories: line.categories }),
});
