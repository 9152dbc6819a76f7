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
import { Idempotency } from '../wire/idempotency.decorator.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import {
  ConfigureEpisodicBody,
  ConfigureHalfBody,
  type EpisodicSettingsAnswer,
  fromEpisodicSettings,
  toUpdateEpisodic,
  toUpdateHalf,
} from './episodic-settings.wire.js';

interface HalfAnswer {
  readonly enabled: boolean;
}

/** Routes 31 to 36 of api-contract §1.3. */
@Controller('api/v2/memory/episodic')
export class EpisodicSettingsController {
  constructor(private readonly rpc: RpcClient) {}

  @Post('config/get')
  @HttpCode(200)
  @Access('read')
  async get(@Body() body: TenantBody): Promise<EpisodicSettingsAnswer> {
    return fromEpisodicSettings(await this.settingsOf(body));
  }

  @Post('config')
  @HttpCode(204)
  @Access('write')
  configure(
    @Body() body: ConfigureEpisodicBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    return this.update(toUpdateEpisodic(body, idempotency));
  }

  @Post('short_term/config/get')
  @HttpCode(200)
  @Access('read')
  async getShortTerm(@Body() body: TenantBody): Promise<HalfAnswer> {
    return { enabled: (await this.settingsOf(body)).shortTermEnabled };
  }

  @Post('short_term/config')
  @HttpCode(204)
  @Access('write')
  configureShortTerm(
    @Body() body: ConfigureHalfBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    return this.update(toUpdateHalf('shortTermEnabled', body, idempotency));
  }

  @Post('long_term/config/get')
  @HttpCode(200)
  @Access('read')
  async getLongTerm(@Body() body: TenantBody): Promise<HalfAnswer> {
    return { enabled: (await this.settingsOf(body)).longTermEnabled };
  }

  @Post('long_term/config')
  @HttpCode(204)
  @Access('write')
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
