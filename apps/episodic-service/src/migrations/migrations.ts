import { Episodes1763700000001 } from './0001-episodes.js';
import { EmbeddedAfter1763700000002 } from './0002-embedded-after.js';
import { RowSecurity1763700000010 } from './0002-row-security.js';
import { IndexSpaces1763700000020 } from './0020-index-spaces.js';
import { Summaries1763700000021 } from './0021-summaries.js';
import { OrderOfAdding1763700000030 } from './0030-order-of-adding.js';
import { Arrivals1763700000040 } from './0040-arrivals.js';
import { Authors1763700000090 } from './0090-authors.js';
import { ReembeddingFences1763700000095 } from './0095-reembedding-fences.js';
import { UnfinishedSummaries1763700000096 } from './0096-unfinished-summaries.js';
import { WorkLeases1763700000097 } from './0097-work-leases.js';
import { UnfinishedDeliveries1763700000098 } from './0098-unfinished-deliveries.js';
import { Deletions1763700000099 } from './0099-deletions.js';
import { Expiry1763700000100 } from './0100-expiry.js';
import { Conversations1763700000101 } from './0101-conversations.js';
import { BoundAuthors1763700000148 } from './0148-bound-authors.js';
import { IndexBacklog1763700000170 } from './0170-index-backlog.js';
import { OutboxPartitions1763700000200 } from './0200-episodic-outbox-partitions.js';
import { DistributionKeys1763700000230 } from './0230-distribution-keys.js';
import { WordStatistics1763700000240 } from './0240-word-statistics.js';
import { FormerKeys1763700000250 } from './0250-former-keys.js';
import { UnfinishedDeletions1763700000270 } from './0270-unfinished-deletions.js';
import { RowsToReembed1763700000310 } from './0310-rows-to-reembed.js';
import { SummaryBeginnings1763700000330 } from './0330-summary-beginnings.js';
import { TombstonesOfProject1763700000340 } from './0340-tombstones-of-project.js';
import { EarlyVacuum1763700000341 } from './0341-early-vacuum.js';
import { LateEpisodes1763700000342 } from './0342-late-episodes.js';
import { DeletionsOfOrganization1763700000343 } from './0343-deletions-of-organization.js';
import { RefusedSummaries1763700000344 } from './0344-refused-summaries.js';

/** In the order in which they run. */
export const MIGRATIONS = [
  Episodes1763700000001,
  EmbeddedAfter1763700000002,
  RowSecurity1763700000010,
  IndexSpaces1763700000020,
  Summaries1763700000021,
  OrderOfAdding1763700000030,
  Arrivals1763700000040,
  Authors1763700000090,
  ReembeddingFences1763700000095,
  UnfinishedSummaries1763700000096,
  WorkLeases1763700000097,
  UnfinishedDeliveries1763700000098,
  Deletions1763700000099,
  Expiry1763700000100,
  Conversations1763700000101,
  BoundAuthors1763700000148,
  IndexBacklog1763700000170,
  OutboxPartitions1763700000200,
  DistributionKeys1763700000230,
  WordStatistics1763700000240,
  FormerKeys1763700000250,
  UnfinishedDeletions1763700000270,
  RowsToReembed1763700000310,
  SummaryBeginnings1763700000330,
  TombstonesOfProject1763700000340,
  EarlyVacuum1763700000341,
  LateEpisodes1763700000342,
  DeletionsOfOrganization1763700000343,
  RefusedSummaries1763700000344,
];
