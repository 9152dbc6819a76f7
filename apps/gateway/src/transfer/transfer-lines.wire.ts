import {
  type EpisodicSettings,
  type ExportedEpisode,
  type ImportedEpisode,
  MAX_TTL_SECONDS,
  type Project,
  SOURCE_UID_MAX_LENGTH,
} from '@loci/contracts';
import {
  boolean,
  byDefault,
  filledText,
  integer,
  nullAsAbsent,
  nullish,
  optional,
  text,
} from '@loci/platform/schema';
import { type Caller } from '../access/caller.js';
import { producerFor } from '../access/producers.js';
import { MessageBody } from '../memories/add-memories.wire.js';
import { requestedTypes, typeList } from '../memories/memory-types.wire.js';
import { fromEpisodicSettings } from '../episodic-settings/episodic-settings.wire.js';
import { fromProjectConfig, fromTenant, ProjectConfigBody } from '../projects/project.wire.js';
import { fromAuthor } from '../wire/author.wire.js';
import { wireInstant } from '../wire/instant.wire.js';
import { moment } from '../wire/schema/moment.js';
import { request } from '../wire/schema/request.js';
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
  ...(episode.isBound && { producer_bound: true }),
  // an import notes who imports instead
  ...(episode.author && { author: fromAuthor(episode.author) }),
  ...(episode.expiresAt && { expires_at: wireInstant(episode.expiresAt) }),
  ...(episode.ingested?.length && { ingested: fromIngested(episode.ingested) }),
});

/** The last line: without it an export is not complete. */
export const endLine = (counts: { readonly episodes: number; readonly features: number }): object => ({
  kind: 'end',
  ...counts,
});

class EpisodicMemoryLine extends request('EpisodicMemoryLine', {
  enabled: byDefault(boolean, true),
  long_term_memory_enabled: byDefault(boolean, true),
  short_term_memory_enabled: byDefault(boolean, true),
  ttl_seconds: byDefault(integer({ min: 0, max: MAX_TTL_SECONDS }), 0),
}) {}

export class ProjectLine extends request('ProjectLine', {
  format: integer({ min: 1, max: FORMAT }),
  description: byDefault(text('MAX_DESCRIPTION_CHARS'), ''),
  config: optional(ProjectConfigBody.schema),
  episodic_memory: optional(EpisodicMemoryLine.schema),
}) {}

const message = MessageBody.schema.properties;

/** A message with what an add says of it, under the same limits. */
export class EpisodeLine extends request('EpisodeLine', {
  uid: filledText(SOURCE_UID_MAX_LENGTH),
  content: message.content,

  /** Absent = the one that the key is bound to, else `user`. */
  producer_id: nullAsAbsent(message.producer),
  producer_role: message.role,
  produced_for_id: nullAsAbsent(message.produced_for),

  /** Absent = now. */
  created_at: message.timestamp,
  metadata: nullAsAbsent(message.metadata),

  /** Whether its author spoke for `producer_id` alone: then it belongs to no other user. */
  producer_bound: byDefault(boolean, false),

  /** Absent = it does not expire, unless the project says how long messages live. */
  expires_at: nullish(moment),

  /** Absent = both; empty = none: it is only listed. */
  types: nullish(typeList),

  /** The sets that hold already what can be learned from it: it is not learned again for them. */
  ingested: nullish(ingestedSets),
}) {}

/** @throws AppError `producer_not_allowed` when a message is not the caller's to say */
export const toImported = (line: EpisodeLine, caller: Caller): ImportedEpisode => ({
  sourceUid: line.uid,
  content: line.content,
  producerId: producerFor(caller, line.producer_id),
  producerRole: line.producer_role,
  producedForId: line.produced_for_id,
  createdAt: line.created_at,
  metadata: line.metadata,
  isBound: line.producer_bound,
  types: line.types ?? requestedTypes([]),
  expiresAt: line.expires_at,
  ingested: line.ingested?.map(toIngested),
});
