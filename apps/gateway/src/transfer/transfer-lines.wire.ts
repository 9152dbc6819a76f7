import {
  type EpisodicSettings,
  type ExportedEpisode,
  type ImportedEpisode,
  type Instant,
  type MemoryType,
  type Project,
  SOURCE_UID_MAX_LENGTH,
} from '@loci/contracts';
import { type Caller } from '../access/caller.js';
import { producerFor } from '../access/producers.js';
import { METADATA_LIMITS } from '../memories/add-memories.wire.js';
import { requestedTypes, typeList } from '../memories/memory-types.wire.js';
import { fromEpisodicSettings } from '../episodic-settings/episodic-settings.wire.js';
import { fromProjectConfig, fromTenant, ProjectConfigBody } from '../projects/project.wire.js';
import { fromAuthor } from '../wire/author.wire.js';
import { wireInstant } from '../wire/instant.wire.js';
import { textMap } from '../wire/reading/collections.js';
import { boolean, integer, moment } from '../wire/reading/scalars.js';
import { objectOf, Wire } from '../wire/reading/shapes.js';
import { filledText, text } from '../wire/reading/text.js';
import { cursorBehind } from './export-cursor.js';
import { fromIngested, ingestedSets, toIngested } from './set-names.wire.js';

/** Files of a later format may hold what this version would misread. */
export const FORMAT = 1;

/** The first line of an export: what the project is. */
export const headerLine = ({ tenant, description, config }: Project, settings: EpisodicSettings): object => ({
  kind: 'project',
  format: FORMAT,
  ...fromTenant(tenant),
  description,
  // also while nothing of it is in force: the copy is to work with the same
  config: fromProjectConfig(config),
  episodic_memory: fromEpisodicSettings(settings),
});

export const episodeLine = (episode: ExportedEpisode): object => ({
  kind: 'episode',
  cursor: cursorBehind('episode', episode),
  uid: episode.uid,
  content: episode.content,
  producer_id: episode.producerId,
  producer_role: episode.producerRole,
  produced_for_id: episode.producedForId,
  created_at: wireInstant(episode.createdAt),
  metadata: episode.metadata,
  types: episode.types,
  // an import notes who imports instead
  ...(episode.author && { author: fromAuthor(episode.author) }),
  ...(episode.ingested?.length && { ingested: episode.ingested.map(fromIngested) }),
});

/** The last line: without it an export is not complete. */
export const endLine = (counts: { readonly episodes: number; readonly features: number }): object => ({
  kind: 'end',
  ...counts,
});

class EpisodicMemoryLine {
  @Wire(boolean, { default: true })
  readonly enabled!: boolean;

  @Wire(boolean, { default: true })
  readonly long_term_memory_enabled!: boolean;

  @Wire(boolean, { default: true })
  readonly short_term_memory_enabled!: boolean;
}

export class ProjectLine {
  @Wire(integer({ min: 1, max: FORMAT }))
  readonly format!: number;

  @Wire(text('MAX_DESCRIPTION_CHARS'), { default: '' })
  readonly description!: string;

  @Wire(objectOf(ProjectConfigBody), { optional: true })
  readonly config?: ProjectConfigBody | undefined;

  @Wire(objectOf(EpisodicMemoryLine), { optional: true })
  readonly episodic_memory?: EpisodicMemoryLine | undefined;
}

export class EpisodeLine {
  @Wire(filledText(SOURCE_UID_MAX_LENGTH))
  readonly uid!: string;

  @Wire(text('MAX_CONTENT_CHARS'))
  readonly content!: string;

  /** Absent = the one that the key is bound to, else `user`. */
  @Wire(text('MAX_LABEL_CHARS'), { optional: true, nullable: true })
  readonly producer_id?: string | undefined;

  @Wire(text('MAX_LABEL_CHARS'), { default: '' })
  readonly producer_role!: string;

  @Wire(text('MAX_LABEL_CHARS'), { default: '', nullable: true })
  readonly produced_for_id!: string;

  /** Absent = now. */
  @Wire(moment, { optional: true, nullable: true })
  readonly created_at?: Instant | undefined;

  @Wire(textMap(METADATA_LIMITS), { default: {}, nullable: true })
  readonly metadata!: Readonly<Record<string, string>>;

  /** Absent = both; empty = none: it is only listed. */
  @Wire(typeList, { optional: true, nullable: true })
  readonly types?: readonly MemoryType[] | undefined;

  /** The sets that hold already what can be learned from it: it is not learned again for them. */
  @Wire(ingestedSets, { optional: true, nullable: true })
  readonly ingested?: IngestedSets | undefined;
}

type IngestedSets = Exclude<ReturnType<typeof ingestedSets>, symbol>;

/** @throws AppError `producer_not_allowed` when a message is not the caller's to say */
export const toImported = (line: EpisodeLine, caller: Caller): ImportedEpisode => ({
  sourceUid: line.uid,
  content: line.content,
  producerId: producerFor(caller, line.producer_id),
  producerRole: line.producer_role,
  producedForId: line.produced_for_id,
  createdAt: line.created_at,
  metadata: line.metadata,
  types: line.types ?? requestedTypes([]),
  ingested: line.ingested?.map(toIngested),
});
