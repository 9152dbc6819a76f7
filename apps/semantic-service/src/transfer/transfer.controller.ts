import {
  type ExportedSemanticParts,
  exportSemantic,
  type ExportSemanticRequest,
  getIngestedMessages,
  type ImportedSemanticParts,
  importSemantic,
  type ImportSemanticRequest,
  type IngestedMessages,
  type IngestedMessagesRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { costOfExportPage } from '@loci/platform';
import { Controller } from '@nestjs/common';
import { MemoryExport } from './memory-export.js';
import { MemoryImport } from './memory-import.js';

@Controller()
export class TransferController {
  constructor(
    private readonly exports: MemoryExport,
    private readonly imports: MemoryImport,
  ) {}

  @Handle(exportSemantic, { inTurn: costOfExportPage })
  export(request: ExportSemanticRequest): Promise<ExportedSemanticParts> {
    return this.exports.next(request);
  }

  @Handle(getIngestedMessages)
  async listIngested(request: IngestedMessagesRequest): Promise<IngestedMessages> {
    return { messages: await this.exports.ingested(request) };
  }

  @Handle(importSemantic)
  import(request: ImportSemanticRequest): Promise<ImportedSemanticParts> {
    return this.imports.add(request);
  }
}
