import {
  type Instant,
  type SemanticPart,
  type SemanticParts,
  SOURCE_UID_MAX_LENGTH,
  type TransferredCategory,
  type TransferredTag,
} from '@loci/contracts';
import { wireInstant } from '../wire/instant.wire.js';
import { listOf, textMap } from '../wire/reading/collections.js';
import { boolean, moment } from '../wire/reading/scalars.js';
import { objectOf, Wire, type WireShape } from '../wire/reading/shapes.js';
import { filledText, text } from '../wire/reading/text.js';
import { type LineKind } from './export-cursor.js';
import {
  fromSetName,
  fromSetTypeName,
  setName,
  SetNameLine,
  SetTypeNameLine,
  textList,
  toSetName,
  toSetTypeName,
} from './set-names.wire.js';

const label = text('MAX_CONTENT_CHARS');
const anyMetadata = textMap({ maxKeys: 10_000, maxKeyChars: 128, maxChars: 'MAX_METADATA_VALUE_CHARS' });

class SetTypeLine extends SetTypeNameLine {
  @Wire(label, { optional: true, nullable: true })
  readonly name?: string | undefined;

  @Wire(text('MAX_DESCRIPTION_CHARS'), { optional: true, nullable: true })
  readonly description?: string | undefined;
}

class TagLine {
  @Wire(filledText('MAX_LABEL_CHARS'))
  readonly name!: string;

  @Wire(text('MAX_DESCRIPTION_CHARS'), { default: '' })
  readonly description!: string;
}

class PromptLine {
  @Wire(filledText('MAX_LABEL_CHARS'))
  readonly name!: string;

  @Wire(text('MAX_CONTENT_CHARS'))
  readonly prompt!: string;

  @Wire(text('MAX_DESCRIPTION_CHARS'), { optional: true, nullable: true })
  readonly description?: string | undefined;

  @Wire(listOf(objectOf(TagLine), { max: 1_000_000 }), { default: [] })
  readonly tags!: readonly TagLine[];
}

class TemplateLine extends PromptLine {
  @Wire(objectOf(SetTypeNameLine))
  readonly set_type!: SetTypeNameLine;
}

class CategoryLine extends PromptLine {
  @Wire(setName)
  readonly set!: SetNameLine;
}

class SetLine extends SetNameLine {
  @Wire(label, { optional: true, nullable: true })
  readonly embedder_name?: string | undefined;

  @Wire(label, { optional: true, nullable: true })
  readonly llm_name?: string | undefined;

  @Wire(textList, { default: [] })
  readonly disabled_categories!: readonly string[];
}

class FeatureLine {
  @Wire(filledText(SOURCE_UID_MAX_LENGTH))
  readonly uid!: string;

  @Wire(setName)
  readonly set!: SetNameLine;

  @Wire(label)
  readonly category!: string;

  @Wire(label)
  readonly tag!: string;

  @Wire(label)
  readonly feature_name!: string;

  @Wire(text('MAX_CONTENT_CHARS'))
  readonly value!: string;

  @Wire(anyMetadata, { default: {}, nullable: true })
  readonly metadata!: Readonly<Record<string, string>>;

  /** Whether a client wrote it, or a part of it: then it stands without citations too. */
  @Wire(boolean, { default: true })
  readonly by_client!: boolean;

  /** Absent = now. */
  @Wire(moment, { optional: true, nullable: true })
  readonly created_at?: Instant | undefined;

  /** Uids of episodes, as the lines of the same file name them. */
  @Wire(textList, { default: [], nullable: true })
  readonly citations!: readonly string[];
}

/** Reads a line as one of a shape, or refuses it. */
export type ReadLine = <Shape extends object>(shape: WireShape<Shape>) => Shape;

/** How parts of one kind are written as lines and read again. */
export interface PartLines {
  readonly kind: LineKind;
  readonly part: SemanticPart;
  write(parts: SemanticParts): object[];
  read(line: ReadLine): SemanticParts[SemanticPart][number];
}

interface PartForm<Part extends SemanticPart, Line extends object> {
  readonly shape: WireShape<Line>;
  readonly from: (part: SemanticParts[Part][number]) => Line;
  readonly to: (line: Line) => SemanticParts[Part][number];
}

const partLines = <Part extends SemanticPart, Line extends object>(
  kind: LineKind,
  part: Part,
  { shape, from, to }: PartForm<Part, Line>,
): PartLines => ({
  kind,
  part,
  write: (parts) => (parts[part] as readonly SemanticParts[Part][number][]).map(from),
  read: (line) => to(line(shape)),
});

type Prompt = Omit<TransferredCategory, 'set'>;

const fromPrompt = ({ name, prompt, description, tags }: Prompt): PromptLine => ({
  ...{ name, prompt, description },
  tags: tags.map((tag) => ({ name: tag.name, description: tag.description })),
});
const toPrompt = ({ name, prompt, description, tags }: PromptLine): Prompt => ({
  ...{ name, prompt, description },
  tags: tags.map((tag): TransferredTag => ({ name: tag.name, description: tag.description })),
});

/** What a message is learned from has to be there before the messages. */
export const STRUCTURE_LINES: readonly PartLines[] = [
  partLines('set_type', 'setTypes', {
    shape: SetTypeLine,
    from: ({ name, description, ...type }) => ({ ...fromSetTypeName(type), name, description }),
    to: ({ name, description, ...line }) => ({ ...toSetTypeName(line), name, description }),
  }),
  partLines('category_template', 'templates', {
    shape: TemplateLine,
    from: ({ setType, ...template }) => ({ set_type: fromSetTypeName(setType), ...fromPrompt(template) }),
    to: ({ set_type, ...line }) => ({ setType: toSetTypeName(set_type), ...toPrompt(line) }),
  }),
  partLines('set', 'sets', {
    shape: SetLine,
    from: ({ embedderName, llmName, disabledCategories, ...set }) => ({
      ...fromSetName(set),
      ...{ embedder_name: embedderName, llm_name: llmName, disabled_categories: disabledCategories },
    }),
    to: ({ embedder_name, llm_name, disabled_categories, ...line }) => ({
      ...toSetName(line),
      ...{ embedderName: embedder_name, llmName: llm_name, disabledCategories: disabled_categories },
    }),
  }),
  partLines('category', 'categories', {
    shape: CategoryLine,
    from: ({ set, ...category }) => ({ set: fromSetName(set), ...fromPrompt(category) }),
    to: ({ set, ...line }) => ({ set: toSetName(set), ...toPrompt(line) }),
  }),
];

/** Features come after the messages that they cite. */
export const FEATURE_LINES = partLines('feature', 'features', {
  shape: FeatureLine,
  from: ({ sourceUid, set, name, byClient, createdAt, ...feature }) => ({
    uid: sourceUid,
    set: fromSetName(set),
    ...{ category: feature.category, tag: feature.tag, feature_name: name, value: feature.value },
    ...{ metadata: feature.metadata, by_client: byClient },
    created_at: createdAt && (wireInstant(createdAt) as Instant),
    citations: feature.citations,
  }),
  to: ({ uid, set, feature_name, by_client, created_at, ...line }) => ({
    sourceUid: uid,
    set: toSetName(set),
    ...{ category: line.category, tag: line.tag, name: feature_name, value: line.value },
    ...{ metadata: line.metadata, byClient: by_client, createdAt: created_at, citations: line.citations },
  }),
});

export const SEMANTIC_LINES: readonly PartLines[] = [...STRUCTURE_LINES, FEATURE_LINES];
