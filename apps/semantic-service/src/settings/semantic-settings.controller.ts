import {
  type Done,
  getSemanticSettings,
  type SemanticRequest,
  type SemanticSettings,
  updateSemanticSettings,
  type UpdateSemanticSettingsRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { SemanticSettingsService } from './semantic-settings.service.js';

@Controller()
export class SemanticSettingsController {
  constructor(private readonly settings: SemanticSettingsService) {}

  @Handle(getSemanticSettings)
  get(request: SemanticRequest): Promise<SemanticSettings> {
    return this.settings.get(request);
  }

  @Handle(updateSemanticSettings)
  async update(request: UpdateSemanticSettingsRequest): Promise<Done> {
    await this.settings.update(request);
    return {};
  }
}
