import { type IngestedSet, type SetName, type SetTypeName } from '@loci/contracts';
import { boolean, byDefault, listOf, nullish, optional, text, textMap } from '@loci/platform/schema';
import { request } from '../wire/schema/request.js';

/** Lists of a line need no bound of their own: the line has one. */
const ANY_NUMBER = 1_000_000;

const setTags = textMap({ maxKeys: ANY_NUMBER, maxKeyChars: 128, maxChars: 'MAX_CONTENT_CHARS' });

export const textList = listOf(text('MAX_CONTENT_CHARS'), { max: ANY_NUMBER });

/**
 * A set in a file: its id has the names of organization and project in it, and would mean nothing elsewhere, unless a
 * client made it up.
 */
export class SetNameLine extends request('SetNameLine', {
  is_org_level: byDefault(boolean, false),

  /** Values by tag; the default set of its level has none. */
  tags: byDefault(setTags, {}),

  /** Only of a set whose id a client made up. */
  id: optional(text('MAX_CONTENT_CHARS')),
}) {}

export class SetTypeNameLine extends request('SetTypeNameLine', {
  is_org_level: byDefault(boolean, false),
  tags: textList,
}) {}

class IngestedLine extends request('IngestedLine', {
  ...SetNameLine.schema.properties,
  /** Absent = all that there are. */
  categories: nullish(textList),
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
