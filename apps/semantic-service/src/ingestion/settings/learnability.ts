import { UnitOfWork, ROWS_OF_ALL } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { IS_MODEL_CHOSEN } from './is-model-chosen.sql.js';
import { IngestionSwitch } from './ingestion-switch.js';
import { ReadyModels } from './ready-models.js';

/** Whether anything can be learned from messages at all. */
@Injectable()
export class Learnability {
  constructor(
    private readonly ingestion: IngestionSwitch,
    private readonly models: ReadyModels,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** False while semantic memory is switched off, or no language model is ready that any set uses. */
  async isGiven(): Promise<boolean> {
    if (!this.ingestion.isOn) return false;
    const { names, areKnown } = this.models;
    if (!areKnown || names.includes('')) return true;
    if (names.length === 0) return false;
    const [row] = await this.unitOfWork.execute(IS_MODEL_CHOSEN, [names], { scope: ROWS_OF_ALL });
    return row?.is_chosen === true;
  }
}
