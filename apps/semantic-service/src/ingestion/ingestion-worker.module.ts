import { Module } from '@nestjs/common';
import { IntakeModule } from './intake/intake.module.js';
import { PassesModule } from './passes/passes.module.js';
import { ReconciliationModule } from './reconciliation/reconciliation.module.js';
import { RelearningModule } from './relearning/relearning.module.js';

/** Everything from an added episode to the features that are drawn from it. */
@Module({ imports: [IntakeModule, ReconciliationModule, PassesModule, RelearningModule] })
export class IngestionWorkerModule {}
