import { type IngestedSet, type SetName, type SetTypeName } from '@loci/contracts';
import { listOf, textMap } from '../wire/reading/collections.js';
import { boolean } from '../wire/reading/scalars.js';
import { objectOf, Wire } from '../wire/reading/shapes.js';
import { text } from '../wire/reading/text.js';

/** Lists of a line need no bound of their own: the line has one. */
const ANY_NUMBER = 1_000_000;

const setTags = textMap({ maxKeys: ANY_NUMBER, maxKeyChars: 128, maxChars: 'MAX_CONTENT_CHARS' });

export const textList = listOf(text('MAX_CONTENT_CHARS'), { max: ANY_NUMBER });

/**
 * A set in a file: its id has the names of organization and project in it, and would mean nothing elsewhere, unless a
 * client made it up.
 */
export class SetNameLine {
  @Wire(boolean, { default: false })
  readonly is_org_level!: boolean;

  /** Values by tag; the default set of its level has none. */
  @Wire(setTags, { default: {} })
  readonly tags!: Readonly<Record<string, string>>;

  /** Only of a set whose id a client made up. */
  @Wire(text('MAX_CONTENT_CHARS'), { optional: true })
  readonly id?: string | undefined;
}

export class SetTypeNameLine {
  @Wire(boolean, { default: false })
  readonly is_org_level!: boolean;

  @Wire(textList)
  readonly tags!: readonly string[];
}

class IngestedLine extends SetNameLine {
  /** Absent = all that there are. */
  @Wire(textList, { optional: true, nullable: true })
  readonly categories?: readonly string[] | undefined;
}

export const setName = objectOf(SetNameLine);
export const ingestedSets = listOf(objectOf(IngestedLine), { max: ANY_NUMBER });

export const fromSetName = ({ isOrgLevel, tags, id }: SetName): SetNameLine => ({
  ...{ is_org_level: isOrgLevel, tags },
  ...(id !== undefined && { id }),
});
export const toSetName = ({ is_org_level: isOrgLevel, tags, id }: SetNameLine): SetName => ({
  ...{ isOrgLevel, tags },
  ...(id !== undefined && { id }),
});

export const fromSetTypeName = ({ isOrgLevel, tags }: SetTypeName): SetTypeNameLine => ({
  ...{ is_org_level: isOrgLevel, tags },
});
export const toSetTypeName = ({ is_org_level: isOrgLevel, tags }: SetTypeNameLine): SetTypeName => ({
  ...{ isOrgLevel, tags },
});

export const fromIngested = (set: IngestedSet): IngestedLine => ({
  ...fromSetName(set),
  ...(set.categories && { categories: set.categories }),
});
export const toIngested = (line: IngestedLine): IngestedSet => ({
  ...toSetName(line),
  ...(line.categories && { categories: line.categories }),
});
