import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { SettingsController } from './settings.controller.js';
import { SettingsService } from './settings.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [SettingsController],
  providers: [SettingsService],
})
export class SettingsModule {}
