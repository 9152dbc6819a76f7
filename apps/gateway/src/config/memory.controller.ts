import {
  getMemoryConfiguration,
  type IdempotencyToken,
  type MemoryConfiguration,
  type MemoryConfigurationUpdate,
  updateMemoryConfiguration,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { BadRequestError } from '../wire/errors/bad-request.error.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import {
  type EpisodicAnswer,
  episodicAnswer,
  fromEpisodic,
  fromLongTerm,
  fromSemantic,
  fromShortTerm,
  type LongTermAnswer,
  longTermAnswer,
  type SemanticAnswer,
  semanticAnswer,
  type ShortTermAnswer,
  shortTermAnswer,
} from './memory-answers.wire.js';
import {
  EpisodicBody,
  LongTermBody,
  MemoryBody,
  SemanticBody,
  ShortTermBody,
} from './memory-updates.wire.js';
import { toEpisodic, toLongTerm, toSemantic, toShortTerm } from './to-memory-update.js';
import { type DoneAnswer, doneAnswer, placedIn, updateAnswer } from './update-answer.wire.js';
import { warningsOf } from './update-warnings.js';

const NOTHING_NAMED = "At least one of 'episodic_memory' or 'semantic_memory' must be provided.";
const MERGES =
  'What is absent or null stays as it is. Takes effect everywhere within a second or two, without a restart.';

/** Routes 39 to 47 of api-contract §1.3. PUT merges: what it leaves out stays as it is. */
@Tagged('Configuration')
@Controller('api/v2/config/memory')
export class MemoryController {
  constructor(private readonly rpc: RpcClient) {}

  @Put()
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'update_memory_config',
    summary: 'Changes how memory works where no project says otherwise.',
    description: MERGES,
    answer: doneAnswer,
    badRequests: { nothing_to_update: NOTHING_NAMED },
    errors: ['producer_not_allowed', 'unknown_resource'],
  })
  async update(@Body() body: MemoryBody, @Idempotency() idempotency?: IdempotencyToken): Promise<DoneAnswer> {
    const { episodic_memory: episodic, semantic_memory: semantic } = body;
    if (!episodic && !semantic) throw nothingNamed();
    const update = {
      ...(episodic && { episodic: toEpisodic(episodic) }),
      ...(semantic && { semantic: toSemantic(semantic) }),
    };
    const warnings = await this.change([], update, idempotency);
    return updateAnswer(body, warnings);
  }

  @Get('episodic')
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'get_episodic_memory_config_configuration',
    summary: 'Shows how episodic memory works.',
    answer: episodicAnswer,
  })
  async getEpisodic(): Promise<EpisodicAnswer> {
    return fromEpisodic((await this.read()).episodic);
  }

  @Put('episodic')
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'update_episodic_memory_config',
    summary: 'Changes how episodic memory works.',
    description: MERGES,
    answer: doneAnswer,
    errors: ['producer_not_allowed', 'unknown_resource'],
  })
  async updateEpisodic(
    @Body() body: EpisodicBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<DoneAnswer> {
    const warnings = await this.change(['episodic_memory'], { episodic: toEpisodic(body) }, idempotency);
    return updateAnswer(body, warnings);
  }

  @Get('episodic/long_term')
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'get_long_term_memory_config_configuration',
    summary: 'Shows how long-term memory works.',
    answer: longTermAnswer,
  })
  async getLongTerm(): Promise<LongTermAnswer> {
    return fromLongTerm((await this.read()).episodic.longTerm);
  }

  @Put('episodic/long_term')
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'update_long_term_memory_config',
    summary: 'Changes how long-term memory works.',
    description: MERGES,
    answer: doneAnswer,
    errors: ['producer_not_allowed', 'unknown_resource'],
  })
  async updateLongTerm(
    @Body() body: LongTermBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<DoneAnswer> {
    const update = { episodic: { longTerm: toLongTerm(body, body.enabled) } };
    const warnings = await this.change(['episodic_memory', 'long_term_memory'], update, idempotency);
    return updateAnswer(body, warnings, { enabled: 'long_term_memory_enabled' });
  }

  @Get('episodic/short_term')
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'get_short_term_memory_config_configuration',
    summary: 'Shows how short-term memory works.',
    answer: shortTermAnswer,
  })
  async getShortTerm(): Promise<ShortTermAnswer> {
    return fromShortTerm((await this.read()).episodic.shortTerm);
  }

  @Put('episodic/short_term')
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'update_short_term_memory_config',
    summary: 'Changes how short-term memory works.',
    description: MERGES,
    answer: doneAnswer,
    errors: ['producer_not_allowed', 'unknown_resource'],
  })
  async updateShortTerm(
    @Body() body: ShortTermBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<DoneAnswer> {
    const update = { episodic: { shortTerm: toShortTerm(body, body.enabled) } };
    const warnings = await this.change(['episodic_memory', 'short_term_memory'], update, idempotency);
    return updateAnswer(body, warnings, { enabled: 'short_term_memory_enabled' });
  }

  @Get('semantic')
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'get_semantic_memory_config',
    summary: 'Shows how semantic memory works.',
    answer: semanticAnswer,
  })
  async getSemantic(): Promise<SemanticAnswer> {
    return fromSemantic((await this.read()).semantic);
  }

  @Put('semantic')
  @Access('admin', { tenantFrom: 'deployment' })
  @Documented({
    name: 'update_semantic_memory_config',
    summary: 'Changes how semantic memory works.',
    description: MERGES,
    answer: doneAnswer,
    errors: ['producer_not_allowed', 'unknown_resource'],
  })
  async updateSemantic(
    @Body() body: SemanticBody,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<DoneAnswer> {
    const warnings = await this.change(['semantic_memory'], { semantic: toSemantic(body) }, idempotency);
    return updateAnswer(body, warnings);
  }

  private read(): Promise<MemoryConfiguration> {
    return this.rpc.call(getMemoryConfiguration, {});
  }

  private async change(
    section: readonly string[],
    update: MemoryConfigurationUpdate,
    idempotency: IdempotencyToken | undefined,
  ): Promise<string[]> {
    await placedIn(section, () => this.rpc.call(updateMemoryConfiguration, { ...update, idempotency }));
    return warningsOf(update, this.rpc);
  }
}

const nothingNamed = (): Error => new BadRequestError('nothing_to_update', NOTHING_NAMED);
