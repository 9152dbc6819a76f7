import {
  type ExportedEpisodes,
  exportEpisodes,
  type ExportEpisodesRequest,
  type ImportedEpisodes,
  importEpisodes,
  type ImportEpisodesRequest,
  type LocatedEpisodes,
  locateEpisodes,
  type LocateEpisodesRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { costOfExportPage } from '@loci/platform';
import { Controller } from '@nestjs/common';
import { TransferService } from './transfer.service.js';

@Controller()
export class TransferController {
  constructor(private readonly transfer: TransferService) {}

  @Handle(exportEpisodes, { inTurn: costOfExportPage })
  async export(request: ExportEpisodesRequest): Promise<ExportedEpisodes> {
    return { episodes: await this.transfer.export(request) };
  }

  @Handle(importEpisodes)
  async import(request: ImportEpisodesRequest): Promise<ImportedEpisodes> {
    return { added: await this.transfer.import(request) };
  }

  @Handle(locateEpisodes)
  async locate(request: LocateEpisodesRequest): Promise<LocatedEpisodes> {
    return { episodes: await this.transfer.locate(request) };
  }
}
