import {
  type Done,
  type EpisodicSettings,
  getEpisodicSettings,
  type ProjectRequest,
  updateEpisodicSettings,
  type UpdateEpisodicSettingsRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { SettingsService } from './settings.service.js';

@Controller()
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  @Handle(getEpisodicSettings)
  get({ tenant }: ProjectRequest): Promise<EpisodicSettings> {
    return this.settings.get(tenant);
  }

  @Handle(updateEpisodicSettings)
  async update(request: UpdateEpisodicSettingsRequest): Promise<Done> {
    await this.settings.update(request);
    return {};
  }
}
