export { type FirstRows, firstRows, firstWithinBytes, PAGE_ROWS } from './bounded/first-within-bytes.js';
export {
  type AskedFor,
  boundedRow,
  type BoundedRow,
  mostRows,
  rowsWithin,
  withinBytes,
} from './bounded/within-bytes.js';
export { isRefusal } from './database/database-failure.js';
export { BACKGROUND_POOL_WAIT_MS } from './database/data-source-options.js';
export { Database } from './database/database.js';
export { DatabaseUnreachableError } from './database/database-unreachable.error.js';
export { PersistenceModule } from './persistence.module.js';
export { type PersistenceOptions } from './database/persistence-options.js';
export { entityManager, type Transaction } from './database/transaction.js';
export { type TransactionOptions, UnitOfWork } from './database/unit-of-work.js';
export { createDeadLetterTable } from './dead-letters/dead-letters.table.js';
export { DeadLetters } from './dead-letters/dead-letters.js';
export { type Distribution, PERSISTENCE_DISTRIBUTION } from './distribution.js';
export { ERASURE, ErasedProjects, type ErasedProjectsOptions } from './erased-projects/erased-projects.js';
export { ErasedProjectsModule } from './erased-projects/erased-projects.module.js';
export { type FieldColumn, type FieldColumns } from './filters/field-columns.js';
export { filterToSql, type SqlPredicate } from './filters/filter-to-sql.js';
export { Idempotency, type IdempotencyScope } from './idempotency/idempotency.js';
export { createIdempotencyTable } from './idempotency/idempotency.table.js';
export { PERSISTENCE_ENTITIES } from './entities.js';
export { importedUid } from './identity/imported-uid.js';
export { RememberedUids } from './identity/remembered-uids.js';
export { RememberedRevisions, type Revised } from './identity/remembered-revisions.js';
export { lockName } from './locks/lock-name.js';
export { type MigrationsOptions, type SchemaMigrations } from './migrations/migrations-options.js';
export { runMigrations } from './migrations/run-migrations.js';
export { buildIndex, ensureUniqueIndex, replaceIndex, replacePrimaryKey } from './migrations/built-index.js';
export { inTransaction } from './migrations/in-transaction.js';
export { SchemaOutdatedError } from './migrations/schema-outdated.error.js';
export { departitionOutbox, partitionOutbox } from './outbox/outbox-partitions.js';
export { createOutboxTable } from './outbox/outbox.table.js';
export { Outbox } from './outbox/outbox.js';
export { outboxHeaders, outboxInsertSql, type Statement } from './outbox/outbox-insert.js';
export { type OwnLimits, QuotaLimits } from './quotas/quota-limits.js';
export { quotaRefusals } from './quotas/quota-refusals.js';
export { QuotaLimitEntity } from './quotas/quota-limit.entity.js';
export { createQuotaLimitsTable, dropQuotaLimitsTable } from './quotas/quota-limits.table.js';
export { scopedManager } from './database/connection-scope.js';
export { disableRowSecurity, enableRowSecurity } from './row-security/row-security.js';
export { NO_TENANT, ROWS_OF_ALL, type RowScope, rowsOf, SCOPE_SETTING } from './statements/row-scope.js';
export { OutboxRelayModule } from './outbox-relay.module.js';
export { execute } from './statements/execute.js';
export { narrowed, rowColumns, type RowColumns, type RowOf } from './statements/row-columns.js';
export { sql, type SqlStatement } from './statements/sql-statement.js';
export {
  createUnfinishedDeliveriesTable,
  dropUnfinishedDeliveriesTable,
} from './unfinished-deliveries/unfinished-deliveries.table.js';
export { NotedDeliveries } from './unfinished-deliveries/noted-deliveries.js';
export * from './lease/lease.js';
export { AttemptNotes } from './lease/attempt-notes.js';
export { type LeaseClaim, type LeaseStore } from './lease/lease-claim.js';
export { LeasedWork } from './lease/leased-work.js';
export { countSetAside } from './lease/count-set-aside.sql.js';
export { ExclusiveWork, type WorkOutcome } from './lease/exclusive-work.js';
export { WorkLeaseEntity } from './lease/work-lease.entity.js';
export { createWorkLeaseTable } from './lease/work-leases.table.js';
export { WorkLeases } from './lease/work-leases.js';
export { SetAsideModule } from './set-aside.module.js';
