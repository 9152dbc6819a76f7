import {
  type EpisodicSettings,
  getEpisodicSettings,
  type IdempotencyToken,
  updateEpisodicSettings,
  type UpdateEpisodicSettingsRequest,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import {
  ConfigureEpisodicBody,
  ConfigureHalfBody,
  type EpisodicSettingsAnswer,
  episodicSettingsAnswer,
  fromEpisodicSettings,
  type HalfAnswer,
  halfAnswer,
  toUpdateEpisodic,
  toUpdateHalf,
} from './episodic-settings.wire.js';

/** Routes 31 to 36 of api-contract §1.3. */
@Tagged('Episodic Configuration')
@Controller('api/v2/memory/episodic')
export class EpisodicSettingsController {
  constructor(private readonly rpc: RpcClient) {}

  @Post('config/get')
  @HttpCode(200)
  @Access('read')
  @Documented({
    name: 'get_episodic_memory_config_episodic_configuration',
    summary: 'Shows which halves of episodic memory a project uses.',
    answer: episodicSettingsAnswer,
    errors: ['project_not_found'],
  })
  async get(@Body() body: TenantBody): Promise<EpisodicSettingsAnswer> {
    return fromEpisodicSettings(await this.settingsOf(body));
  }

  @Post('config')
  @HttpCode(204)
  @Access('write')
  @Documented({
    name: 'configure_episodic_memory',
    summary: 'Switches episodic memory or its halves on or off; what is absent stays.',
    errors: ['project_not_found', 'producer_not_allowed'],
  })
  configure(
    @Body() body: ConfigureEpisodicBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    return this.update(toUpdateEpisodic(body, idempotency));
  }

  @Post('short_term/config/get')
  @HttpCode(200)
  @Access('read')
  @Documented({
    name: 'get_short_term_memory_config_episodic_configuration',
    summary: 'Shows whether a project uses short-term memory.',
    answer: halfAnswer,
    errors: ['project_not_found'],
  })
  async getShortTerm(@Body() body: TenantBody): Promise<HalfAnswer> {
    return { enabled: (await this.settingsOf(body)).shortTermEnabled };
  }

  @Post('short_term/config')
  @HttpCode(204)
  @Access('write')
  @Documented({
    name: 'configure_short_term_memory',
    summary: 'Switches short-term memory on or off.',
    errors: ['project_not_found', 'producer_not_allowed'],
  })
  configureShortTerm(
    @Body() body: ConfigureHalfBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    return this.update(toUpdateHalf('shortTermEnabled', body, idempotency));
  }

  @Post('long_term/config/get')
  @HttpCode(200)
  @Access('read')
  @Documented({
    name: 'get_long_term_memory_config_episodic_configuration',
    summary: 'Shows whether a project uses long-term memory.',
    answer: halfAnswer,
    errors: ['project_not_found'],
  })
  async getLongTerm(@Body() body: TenantBody): Promise<HalfAnswer> {
    return { enabled: (await this.settingsOf(body)).longTermEnabled };
  }

  @Post('long_term/config')
  @HttpCode(204)
  @Access('write')
  @Documented({
    name: 'configure_long_term_memory',
    summary: 'Switches long-term memory on or off.',
    errors: ['project_not_found', 'producer_not_allowed'],
  })
  configureLongTerm(
    @Body() body: ConfigureHalfBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    return this.update(toUpdateHalf('longTermEnabled', body, idempotency));
  }

  private settingsOf(body: TenantBody): Promise<EpisodicSettings> {
    return this.rpc.call(getEpisodicSettings, { tenant: tenantOf(body) });
  }

  private async update(request: UpdateEpisodicSettingsRequest): Promise<void> {
    await this.rpc.call(updateEpisodicSettings, request);
  }
}
