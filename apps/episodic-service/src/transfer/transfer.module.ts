import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { TransferController } from './transfer.controller.js';
import { TransferRepository } from './transfer.repository.js';
import { TransferService } from './transfer.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [TransferController],
  providers: [TransferService, TransferRepository],
})
export class TransferModule {}
