import { Features1763700000001 } from './0001-features.js';
import { Ingestion1763700000002 } from './0002-ingestion.js';
import { RowSecurity1763700000010 } from './0010-row-security.js';
import { IndexSpaces1763700000020 } from './0020-index-spaces.js';
import { ChosenRerankers1763700000030 } from './0030-chosen-rerankers.js';
import { LaterLives1763700000040 } from './0040-later-lives.js';
import { MadeUpSets1763700000070 } from './0070-made-up-sets.js';
import { ModelQuotas1763700000080 } from './0080-model-quotas.js';
import { RefusedCommands1763700000090 } from './0090-refused-commands.js';
import { SetChanges1763700000100 } from './0100-set-changes.js';
import { UnfinishedMessages1763700000101 } from './0101-unfinished-messages.js';
import { FairQueues1763700000102 } from './0102-fair-queues.js';
import { UnfinishedPasses1763700000103 } from './0103-unfinished-passes.js';
import { Provenance1763700000110 } from './0110-provenance.js';
import { TrustedProducers1763700000111 } from './0111-trusted-producers.js';
import { Proposals1763700000112 } from './0112-proposals.js';
import { QuotaLimits1763700000120 } from './0120-quota-limits.js';
import { SetQuotas1763700000121 } from './0121-set-quotas.js';
import { ReembeddingFences1763700000122 } from './0122-reembedding-fences.js';
import { WorkLeases1763700000123 } from './0123-work-leases.js';
import { UnfinishedDeliveries1763700000124 } from './0124-unfinished-deliveries.js';
import { Subjects1763700000130 } from './0130-subjects.js';
import { BoundCitations1763700000148 } from './0148-bound-citations.js';
import { Validity1763700000150 } from './0150-validity.js';
import { IndexBacklog1763700000170 } from './0170-index-backlog.js';
import { Pins1763700000191 } from './0191-pins.js';
import { ExpiringFeatures1763700000192 } from './0192-expiring-features.js';
import { SingleValues1763700000193 } from './0193-single-values.js';
import { QuietJobs1763700000200 } from './0200-semantic-quiet-jobs.js';
import { OutboxPartitions1763700000201 } from './0201-semantic-outbox-partitions.js';
import { KeptCalls1763700000206 } from './0206-kept-calls.js';
import { ModelCalls1763700000207 } from './0207-model-calls.js';
import { PutOffSets1763700000208 } from './0195-put-off-sets.js';
import { DeferredMessages1763700000210 } from './0210-deferred-messages.js';
import { LearnedMessages1763700000220 } from './0220-learned-messages.js';
import { ModelCost1763700000221 } from './0221-model-cost.js';
import { IndexVersionKeys1763700000230 } from './0230-index-version-keys.js';
import { DistributionKeys1763700000231 } from './0231-distribution-keys.js';
import { WordStatistics1763700000240 } from './0240-word-statistics.js';
import { QueueIndex1763700000250 } from './0250-queue-index.js';
import { FormerKeys1763700000251 } from './0251-former-keys.js';
import { DecidedPins1763700000252 } from './0252-decided-pins.js';
import { PartSizes1763700000260 } from './0260-part-sizes.js';
import { Contradictions1763700000270 } from './0270-contradictions.js';
import { SaidRemovals1763700000280 } from './0280-said-removals.js';
import { OldestMessage1763700000290 } from './0290-oldest-message.js';
import { RowsOfProject1763700000300 } from './0300-rows-of-project.js';
import { RowsToReembed1763700000310 } from './0310-rows-to-reembed.js';
import { DeadLettersOfSet1763700000331 } from './0331-dead-letters-of-set.js';
import { EarlyVacuum1763700000341 } from './0341-early-vacuum.js';
import { SingleValuedNames1763700000342 } from './0342-single-valued-names.js';
import { FailedMessages1763700000343 } from './0343-failed-messages.js';
import { ChangesOfSet1763700000344 } from './0344-changes-of-set.js';
import { ExportedRows1763700000345 } from './0345-exported-rows.js';
import { RecentFeatures1763700000346 } from './0346-recent-features.js';

/** In the order in which they are applied. */
export const MIGRATIONS = [
  Features1763700000001,
  Ingestion1763700000002,
  RowSecurity1763700000010,
  IndexSpaces1763700000020,
  ChosenRerankers1763700000030,
  LaterLives1763700000040,
  MadeUpSets1763700000070,
  ModelQuotas1763700000080,
  RefusedCommands1763700000090,
  SetChanges1763700000100,
  UnfinishedMessages1763700000101,
  FairQueues1763700000102,
  UnfinishedPasses1763700000103,
  Provenance1763700000110,
  TrustedProducers1763700000111,
  Proposals1763700000112,
  QuotaLimits1763700000120,
  SetQuotas1763700000121,
  ReembeddingFences1763700000122,
  WorkLeases1763700000123,
  UnfinishedDeliveries1763700000124,
  Subjects1763700000130,
  BoundCitations1763700000148,
  Validity1763700000150,
  IndexBacklog1763700000170,
  Pins1763700000191,
  ExpiringFeatures1763700000192,
  SingleValues1763700000193,
  QuietJobs1763700000200,
  OutboxPartitions1763700000201,
  KeptCalls1763700000206,
  ModelCalls1763700000207,
  PutOffSets1763700000208,
  DeferredMessages1763700000210,
  LearnedMessages1763700000220,
  ModelCost1763700000221,
  IndexVersionKeys1763700000230,
  DistributionKeys1763700000231,
  WordStatistics1763700000240,
  QueueIndex1763700000250,
  FormerKeys1763700000251,
  DecidedPins1763700000252,
  PartSizes1763700000260,
  Contradictions1763700000270,
  SaidRemovals1763700000280,
  OldestMessage1763700000290,
  RowsOfProject1763700000300,
  RowsToReembed1763700000310,
  DeadLettersOfSet1763700000331,
  EarlyVacuum1763700000341,
  SingleValuedNames1763700000342,
  FailedMessages1763700000343,
  ChangesOfSet1763700000344,
  ExportedRows1763700000345,
  RecentFeatures1763700000346,
] as const;
