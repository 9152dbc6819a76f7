export { Loci } from './loci.js';
export {
  Conversation,
  type ConversationItem,
  givenItem,
  piecesOf,
  storedItem,
} from './memory/conversation.js';
export { inParts } from './memory/in-parts.js';
export { Memory } from './memory/memory.js';
export { queryOf, turnOf } from './memory/turns.js';
export type * from './memory/memory-options.js';
export type { Episode, Feature, Remembered } from './memory/memories.js';
export type { Message, Said } from './memory/messages.js';
export type { MemoryScope } from './memory/scope.js';
export type { CallOptions, WriteOptions } from './call-options.js';

export { allOf, anyOf, Filter, not } from './filters/filter.js';
export { filter } from './filters/filter-tag.js';
export { literal as filterLiteral, metadataField as filterMetadataField } from './filters/literals.js';
export { where, type Condition, type Conditions, type Comparisons, type Period } from './filters/where.js';

export { LociError, type Problem } from './errors.js';
export {
  answered,
  createLociClient,
  type LociClient,
  type LociClientOptions,
  withHeaders,
} from './loci-client.js';
export type { components, operations, paths } from './api.generated.js';

export type { EventsOptions, EventType, LociEvent } from './operations/events.js';
export type { Statistics, StatisticsOptions } from './operations/statistics.js';
export type { ExportLine } from './operations/export-lines.js';
export { textLines } from './operations/text-lines.js';
export type { Ingestion } from './operations/ingestion.js';
export type { Keys, NewKey } from './operations/keys.js';
export type { NewProject, Projects } from './operations/projects.js';
export type { ModelResources, ResourceKind } from './operations/resources.js';
export type { NewWebhook, WebhookChange, Webhooks } from './operations/webhooks.js';
export type { ProjectName } from './operations/tenant.js';
