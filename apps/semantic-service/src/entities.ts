import { indexEntities } from '@loci/indexing';
import { WorkLeaseEntity } from '@loci/persistence';
import { QuotaLimitEntity } from '@loci/persistence';
import { CategoryTagEntity } from './categories/category-tag.entity.js';
import { CategoryEntity } from './categories/category.entity.js';
import { DisabledCategoryEntity } from './categories/disabled-category.entity.js';
import { DeletedEpisodeEntity } from './erasure/deleted-episode.entity.js';
import { CitationEntity } from './features/citation.entity.js';
import { FeatureChangeEntity } from './features/feature-change.entity.js';
import { FeatureEntity } from './features/feature.entity.js';
import { MessageWithoutSetEntity } from './ingestion/backlog/message-without-set.entity.js';
import { ConsolidationEntity } from './ingestion/consolidation/consolidation.entity.js';
import { IngestionDeadLetterEntity } from './ingestion/dead-letters/ingestion-dead-letter.entity.js';
import { IngestionFailureEntity } from './ingestion/extraction/ingestion-failure.entity.js';
import { UnfinishedMessageEntity } from './ingestion/extraction/unfinished-message.entity.js';
import { IngestionMessageEntity } from './ingestion/intake/ingestion-message.entity.js';
import { IngestionProgressEntity } from './ingestion/intake/ingestion-progress.entity.js';
import { IngestionCountEntity } from './ingestion/jobs/ingestion-count.entity.js';
import { IngestionOrgEntity } from './ingestion/jobs/ingestion-org.entity.js';
import { IngestionQueueEntity } from './ingestion/jobs/ingestion-queue.entity.js';
import { JobEntity } from './ingestion/jobs/job.entity.js';
import { ModelCallEntity } from './ingestion/model-calls/model-call.entity.js';
import { CursorEntity } from './ingestion/reconciliation/cursor.entity.js';
import { ModelQuotaUseEntity } from './ingestion/usage/model-quota-use.entity.js';
import { ModelUsageEntity } from './ingestion/usage/model-usage.entity.js';
import { ProjectEntity } from './projects/project.entity.js';
import { ProposalEntity } from './proposals/proposal.entity.js';
import { SetCountEntity } from './sets/set-count.entity.js';
import { SetTypeEntity } from './sets/set-type.entity.js';
import { SetEntity } from './sets/set.entity.js';

/** Every table of the schema but those of the persistence library. */
export const ENTITIES = [
  CategoryEntity,
  CategoryTagEntity,
  CitationEntity,
  ConsolidationEntity,
  CursorEntity,
  DeletedEpisodeEntity,
  DisabledCategoryEntity,
  FeatureChangeEntity,
  FeatureEntity,
  IngestionCountEntity,
  IngestionDeadLetterEntity,
  IngestionFailureEntity,
  IngestionMessageEntity,
  IngestionOrgEntity,
  IngestionProgressEntity,
  IngestionQueueEntity,
  JobEntity,
  MessageWithoutSetEntity,
  ModelCallEntity,
  ModelQuotaUseEntity,
  ModelUsageEntity,
  ProjectEntity,
  ProposalEntity,
  QuotaLimitEntity,
  SetCountEntity,
  SetEntity,
  SetTypeEntity,
  UnfinishedMessageEntity,
  WorkLeaseEntity,
  ...indexEntities(() => SetEntity),
];
