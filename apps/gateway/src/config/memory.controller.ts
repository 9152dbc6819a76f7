import {
  getMemoryConfiguration,
  type IdempotencyToken,
  type MemoryConfiguration,
  type MemoryConfigurationUpdate,
  updateMemoryConfiguration,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { BadRequestError } from '../wire/errors/bad-request.error.js';
import { Access } from '../access/access.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { fromEpisodic, fromLongTerm, fromSemantic, fromShortTerm } from './memory-answers.wire.js';
import {
  EpisodicBody,
  LongTermBody,
  MemoryBody,
  SemanticBody,
  ShortTermBody,
} from './memory-updates.wire.js';
import { toEpisodic, toLongTerm, toSemantic, toShortTerm } from './to-memory-update.js';
import { placedIn, type UpdateAnswer, updateAnswer } from './update-answer.wire.js';

/** Routes 39 to 47 of api-contract §1.3. PUT merges: what it leaves out stays as it is. */
@Controller('api/v2/config/memory')
export class MemoryController {
  constructor(private readonly rpc: RpcClient) {}

  @Put()
  @Access('admin', { tenantFrom: 'deployment' })
  async update(
    @Body() body: MemoryBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<UpdateAnswer> {
    const { episodic_memory: episodic, semantic_memory: semantic } = body;
    if (!episodic && !semantic) throw nothingNamed();
    const update = {
      ...(episodic && { episodic: toEpisodic(episodic) }),
      ...(semantic && { semantic: toSemantic(semantic) }),
    };
    await this.change([], update, idempotency);
    return updateAnswer(body);
  }

  @Get('episodic')
  @Access('admin', { tenantFrom: 'deployment' })
  async getEpisodic(): Promise<object> {
    return fromEpisodic((await this.read()).episodic);
  }

  @Put('episodic')
  @Access('admin', { tenantFrom: 'deployment' })
  async updateEpisodic(
    @Body() body: EpisodicBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<UpdateAnswer> {
    await this.change(['episodic_memory'], { episodic: toEpisodic(body) }, idempotency);
    return updateAnswer(body);
  }

  @Get('episodic/long_term')
  @Access('admin', { tenantFrom: 'deployment' })
  async getLongTerm(): Promise<object> {
    return fromLongTerm((await this.read()).episodic.longTerm);
  }

  @Put('episodic/long_term')
  @Access('admin', { tenantFrom: 'deployment' })
  async updateLongTerm(
    @Body() body: LongTermBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<UpdateAnswer> {
    const update = { episodic: { longTerm: toLongTerm(body, body.enabled) } };
    await this.change(['episodic_memory', 'long_term_memory'], update, idempotency);
    return updateAnswer(body, { enabled: 'long_term_memory_enabled' });
  }

  @Get('episodic/short_term')
  @Access('admin', { tenantFrom: 'deployment' })
  async getShortTerm(): Promise<object> {
    return fromShortTerm((await this.read()).episodic.shortTerm);
  }

  @Put('episodic/short_term')
  @Access('admin', { tenantFrom: 'deployment' })
  async updateShortTerm(
    @Body() body: ShortTermBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<UpdateAnswer> {
    const update = { episodic: { shortTerm: toShortTerm(body, body.enabled) } };
    await this.change(['episodic_memory', 'short_term_memory'], update, idempotency);
    return updateAnswer(body, { enabled: 'short_term_memory_enabled' });
  }

  @Get('semantic')
  @Access('admin', { tenantFrom: 'deployment' })
  async getSemantic(): Promise<object> {
    return fromSemantic((await this.read()).semantic);
  }

  @Put('semantic')
  @Access('admin', { tenantFrom: 'deployment' })
  async updateSemantic(
    @Body() body: SemanticBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<UpdateAnswer> {
    await this.change(['semantic_memory'], { semantic: toSemantic(body) }, idempotency);
    return updateAnswer(body);
  }

  private read(): Promise<MemoryConfiguration> {
    return this.rpc.call(getMemoryConfiguration, {});
  }

  private async change(
    section: readonly string[],
    update: MemoryConfigurationUpdate,
    idempotency: IdempotencyToken | undefined,
  ): Promise<void> {
    await placedIn(section, () => this.rpc.call(updateMemoryConfiguration, { ...update, idempotency }));
  }
}

const nothingNamed = (): Error =>
  new BadRequestError(
    'nothing_to_update',
    "At least one of 'episodic_memory' or 'semantic_memory' must be provided.",
  );
