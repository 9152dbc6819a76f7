import { Projects1763700000001 } from './0001-projects.js';
import { Registry1763700000002 } from './0002-registry.js';
import { ApiKeys1763700000003 } from './0003-api-keys.js';
import { ProjectModels1763700000020 } from './0020-project-models.js';
import { RowSecurity1763700000030 } from './0030-row-security.js';
import { UnfinishedProbes1763700000050 } from './0050-unfinished-probes.js';
import { ApiKeyTag1763700000060 } from './0060-api-key-tag.js';
import { NameSkeletons1763700000061 } from './0061-name-skeletons.js';
import { AuditChain1763700000080 } from './0080-audit-chain.js';
import { KeyProducers1763700000090 } from './0090-key-producers.js';
import { Quotas1763700000100 } from './0100-quotas.js';
import { UnfinishedDeliveries1763700000101 } from './0101-unfinished-deliveries.js';
import { Notifications1763700000180 } from './0180-notifications.js';
import { DefaultModels1763700000196 } from './0196-default-models.js';
import { OutboxPartitions1763700000200 } from './0200-config-outbox-partitions.js';
import { Webhooks1763700000202 } from './0202-webhooks.js';
import { ShortSkeletons1763700000208 } from './0198-short-skeletons.js';
import { BoundNames1763700000270 } from './0270-bound-names.js';
import { AuditOfProject1763700000320 } from './0320-audit-of-project.js';
import { EndingKeys1763700000321 } from './0321-ending-keys.js';

/** Every migration of the schema, oldest first. */
export const MIGRATIONS = [
  Projects1763700000001,
  Registry1763700000002,
  ApiKeys1763700000003,
  ProjectModels1763700000020,
  RowSecurity1763700000030,
  UnfinishedProbes1763700000050,
  ApiKeyTag1763700000060,
  NameSkeletons1763700000061,
  AuditChain1763700000080,
  KeyProducers1763700000090,
  Quotas1763700000100,
  UnfinishedDeliveries1763700000101,
  Notifications1763700000180,
  DefaultModels1763700000196,
  OutboxPartitions1763700000200,
  Webhooks1763700000202,
  ShortSkeletons1763700000208,
  BoundNames1763700000270,
  AuditOfProject1763700000320,
  EndingKeys1763700000321,
];
