import { QuotaLimitEntity } from '@loci/persistence';
import { ApiKeyTagEntity } from './api-keys/api-key-tag.entity.js';
import { ApiKeyEntity } from './api-keys/api-key.entity.js';
import { AuditHeadEntity } from './audit/audit-head.entity.js';
import { AuditEntity } from './audit/audit.entity.js';
import { BoundNameEntity } from './names/bound-name.entity.js';
import { SeenEntryEntity } from './configuration-file/seen-entry.entity.js';
import { MemoryConfigurationEntity } from './memory-configuration/memory-configuration.entity.js';
import { NotificationHeadEntity } from './notifications/notification-head.entity.js';
import { NotificationEntity } from './notifications/notification.entity.js';
import { ProjectEntity } from './projects/project.entity.js';
import { RegistryRevisionEntity } from './revisions/registry-revision.entity.js';
import { ResourceTransitionEntity } from './resources/resource-transition.entity.js';
import { ResourceEntity } from './resources/resource.entity.js';
import { WebhookDeliveryEntity } from './webhooks/webhook-delivery.entity.js';
import { WebhookEntity } from './webhooks/webhook.entity.js';

/** Every table of the schema but those of the persistence library. */
export const ENTITIES = [
  ApiKeyEntity,
  ApiKeyTagEntity,
  AuditEntity,
  AuditHeadEntity,
  BoundNameEntity,
  MemoryConfigurationEntity,
  NotificationEntity,
  NotificationHeadEntity,
  ProjectEntity,
  QuotaLimitEntity,
  RegistryRevisionEntity,
  ResourceEntity,
  ResourceTransitionEntity,
  SeenEntryEntity,
  WebhookDeliveryEntity,
  WebhookEntity,
];
