import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { ForgettingController } from './forgetting.controller.js';
import { ForgettingService } from './forgetting.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [ForgettingController],
  providers: [ForgettingService],
})
export class ForgettingModule {}
