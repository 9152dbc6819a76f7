import {
  configNotificationsRaised,
  episodesAdded,
  episodesDeleted,
  episodicNotificationsRaised,
  episodicProjectsErased,
  indexEpisodes,
  indexFeatures,
  ingestSet,
  projectsConfigured,
  projectsDeleted,
  purgeEpisodes,
  recordAuditLater,
  relearnProject,
  updateSummary,
  semanticNotificationsRaised,
  semanticProjectsErased,
  setsConfigured,
} from '@loci/contracts';
import { type ConsumerDeclaration, type StreamDeclaration } from './declarations.js';

const MIB = 1024 * 1024;
const ACK_WAIT_MS = 30_000;

export const EVT_CONFIG: StreamDeclaration = {
  name: 'EVT_CONFIG',
  subjectPrefix: 'evt.config',
  kind: 'events',
  maxBytes: 64 * MIB,
};

/** Audit records: the one kind of work that could not be enqueued again from PostgreSQL. */
export const WORK_CONFIG: StreamDeclaration = {
  name: 'WORK_CONFIG',
  subjectPrefix: 'work.config',
  kind: 'work',
  maxBytes: 256 * MIB,
};

export const EVT_EPISODIC: StreamDeclaration = {
  name: 'EVT_EPISODIC',
  subjectPrefix: 'evt.episodic',
  kind: 'events',
  maxBytes: 512 * MIB,
};

export const WORK_EPISODIC: StreamDeclaration = {
  name: 'WORK_EPISODIC',
  subjectPrefix: 'work.episodic',
  kind: 'work',
  maxBytes: 256 * MIB,
};

export const EVT_SEMANTIC: StreamDeclaration = {
  name: 'EVT_SEMANTIC',
  subjectPrefix: 'evt.semantic',
  kind: 'events',
  maxBytes: 256 * MIB,
};

export const WORK_SEMANTIC: StreamDeclaration = {
  name: 'WORK_SEMANTIC',
  subjectPrefix: 'work.semantic',
  kind: 'work',
  maxBytes: 256 * MIB,
};

/** Every stream there is. */
export const STREAMS: readonly StreamDeclaration[] = [
  EVT_CONFIG,
  WORK_CONFIG,
  EVT_EPISODIC,
  WORK_EPISODIC,
  EVT_SEMANTIC,
  WORK_SEMANTIC,
];

export const episodicWorkerIndex: ConsumerDeclaration = {
  name: 'episodic-worker-index',
  stream: EVT_EPISODIC,
  subject: episodesAdded.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 4_096,
};

export const episodicWorkerReindex: ConsumerDeclaration = {
  name: 'episodic-worker-reindex',
  stream: WORK_EPISODIC,
  subject: indexEpisodes.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 1_024,
};

export const episodicWorkerPurge: ConsumerDeclaration = {
  name: 'episodic-worker-purge',
  stream: WORK_EPISODIC,
  subject: purgeEpisodes.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 1_024,
};

export const episodicWorkerErase: ConsumerDeclaration = {
  name: 'episodic-worker-erase',
  stream: EVT_CONFIG,
  subject: projectsDeleted.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 64,
};

export const episodicWorkerConfigure: ConsumerDeclaration = {
  name: 'episodic-worker-configure',
  stream: EVT_CONFIG,
  subject: projectsConfigured.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 256,
};

/** Hears what may have to be summarised. */
export const episodicWorkerOverflow: ConsumerDeclaration = {
  name: 'episodic-worker-overflow',
  stream: EVT_EPISODIC,
  subject: episodesAdded.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 1_024,
};

export const episodicWorkerSummarize: ConsumerDeclaration = {
  name: 'episodic-worker-summarize',
  stream: WORK_EPISODIC,
  subject: updateSummary.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 64,
};

export const configServiceErased: ConsumerDeclaration = {
  name: 'config-service-erased',
  stream: EVT_EPISODIC,
  subject: episodicProjectsErased.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 256,
};

export const configServiceSemanticErased: ConsumerDeclaration = {
  name: 'config-service-semantic-erased',
  stream: EVT_SEMANTIC,
  subject: semanticProjectsErased.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 256,
};

export const semanticWorkerIndex: ConsumerDeclaration = {
  name: 'semantic-worker-index',
  stream: WORK_SEMANTIC,
  subject: indexFeatures.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 1_024,
};

export const semanticWorkerForget: ConsumerDeclaration = {
  name: 'semantic-worker-forget',
  stream: EVT_EPISODIC,
  subject: episodesDeleted.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 256,
};

export const semanticWorkerErase: ConsumerDeclaration = {
  name: 'semantic-worker-erase',
  stream: EVT_CONFIG,
  subject: projectsDeleted.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 64,
};

export const semanticWorkerIngest: ConsumerDeclaration = {
  name: 'semantic-worker-ingest',
  stream: WORK_SEMANTIC,
  subject: ingestSet.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 1_024,
};

export const semanticWorkerRelearn: ConsumerDeclaration = {
  name: 'semantic-worker-relearn',
  stream: WORK_SEMANTIC,
  subject: relearnProject.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 64,
};

/** Hears which sets may have to move to another embedder. */
export const semanticWorkerConfigure: ConsumerDeclaration = {
  name: 'semantic-worker-configure',
  stream: EVT_SEMANTIC,
  subject: setsConfigured.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 256,
};

/** Hears which projects chose other models. */
export const semanticWorkerAdopt: ConsumerDeclaration = {
  name: 'semantic-worker-adopt',
  stream: EVT_CONFIG,
  subject: projectsConfigured.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 256,
};

export const semanticWorkerIntake: ConsumerDeclaration = {
  name: 'semantic-worker-intake',
  stream: EVT_EPISODIC,
  subject: episodesAdded.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 4_096,
};

export const configServiceAudit: ConsumerDeclaration = {
  name: 'config-service-audit',
  stream: WORK_CONFIG,
  subject: recordAuditLater.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 256,
};

export const configServiceNotifications: ConsumerDeclaration = {
  name: 'config-service-notifications',
  stream: EVT_CONFIG,
  subject: configNotificationsRaised.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 1_024,
};

export const configServiceEpisodicNotifications: ConsumerDeclaration = {
  name: 'config-service-episodic-notifications',
  stream: EVT_EPISODIC,
  subject: episodicNotificationsRaised.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 1_024,
};

export const configServiceSemanticNotifications: ConsumerDeclaration = {
  name: 'config-service-semantic-notifications',
  stream: EVT_SEMANTIC,
  subject: semanticNotificationsRaised.subject,
  ackWaitMs: ACK_WAIT_MS,
  maxAckPending: 1_024,
};

/** Every consumer there is. */
export const CONSUMERS: readonly ConsumerDeclaration[] = [
  episodicWorkerIndex,
  episodicWorkerReindex,
  episodicWorkerPurge,
  episodicWorkerErase,
  episodicWorkerConfigure,
  episodicWorkerOverflow,
  episodicWorkerSummarize,
  configServiceErased,
  configServiceSemanticErased,
  semanticWorkerIndex,
  semanticWorkerForget,
  semanticWorkerErase,
  semanticWorkerIngest,
  semanticWorkerRelearn,
  semanticWorkerConfigure,
  semanticWorkerAdopt,
  semanticWorkerIntake,
  configServiceAudit,
  configServiceNotifications,
  configServiceEpisodicNotifications,
  configServiceSemanticNotifications,
];
