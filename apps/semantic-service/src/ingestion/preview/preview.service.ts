import {
  describeEpisodes,
  instantFromDate,
  invalid,
  notFound,
  type PreviewIngestionRequest,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { CategoriesService } from '../../categories/categories.service.js';
import { type NamedChange } from '../../features/feature-change.js';
import { type NewHistoryEntry } from '../../features/feature-history.js';
import { FeatureWriter } from '../../features/feature-writer.js';
import { type OpenProject, scopeOf } from '../../projects/project.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { rowsIn } from '../../projects/row-scope.js';
import { locationOf, type MemorySet } from '../../sets/set.js';
import { SetsService } from '../../sets/sets.service.js';
import { MAX_BATCH_TOKENS, tokensOf } from '../extraction/batch.js';
import { changesOf } from '../extraction/extraction-changes.js';
import { type IngestionCategory } from '../extraction/extraction-prompt.js';
import {
  type Extraction,
  type ExtractionCommand,
  type RefusedCommand,
} from '../extraction/extraction-reply.js';
import { type IngestionEpisode } from '../extraction/ingestion-episode.js';
import { IngestionPartitions, type PartitionedMessages } from '../extraction/ingestion-partitions.js';
import { IngestionSwitch } from '../settings/ingestion-switch.js';
import { PreviewTurns } from './preview-turns.js';
import { PromptTrials, type Trial, type TrialReply } from './prompt-trials.js';

export interface Preview extends Omit<TrialReply, 'extraction'> {
  readonly commands: readonly ExtractionCommand[];
  /** What would not be carried out, and why. */
  readonly refused: readonly RefusedCommand[];
  /** What the commands would change, in sequence. */
  readonly history: readonly NewHistoryEntry[];
}

/** Tries a prompt: what the model of a set would learn from messages. Nothing is written but what the call cost. */
@Injectable()
export class PreviewService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly sets: SetsService,
    private readonly categories: CategoriesService,
    private readonly partitions: IngestionPartitions,
    private readonly trials: PromptTrials,
    private readonly writer: FeatureWriter,
    private readonly ingestion: IngestionSwitch,
    private readonly turns: PreviewTurns,
    private readonly rpc: RpcClient,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws AppError as `previewIngestion` */
  async preview(request: PreviewIngestionRequest): Promise<Preview> {
    const project = await this.projects.get(request.tenant);
    const set = await this.sets.get(scopeOf(project, request.organization), request.setId);
    const category = await this.category(set, request);
    const messages = await this.messages(set, project, request);
    this.ingestion.assertOn();
    return this.turns.run(project.tenant.orgId, () => this.tried({ set, category, messages }));
  }

  private async tried(trial: Trial): Promise<Preview> {
    const reply = await this.trials.ask(trial);
    const { commands } = reply.extraction;
    const { refused, history } = await this.planned(trial, reply.extraction);
    return { ...reply, commands, refused: [...reply.extraction.refused, ...refused], history };
  }

  private async category(
    set: MemorySet,
    { category: name, prompt, tags }: PreviewIngestionRequest,
  ): Promise<IngestionCategory> {
    const stored = (await this.categories.available(set)).find((one) => one.name === name);
    const asked = prompt ?? stored?.prompt;
    if (asked === undefined)
      throw notFound(
        'category_not_found',
        'The set does not have this category; name another one, or give a prompt.',
      );
    return { name, prompt: asked, tags: new Map(Object.entries(tags ?? stored?.tags ?? {})) };
  }

  private async messages(
    set: MemorySet,
    project: OpenProject,
    request: PreviewIngestionRequest,
  ): Promise<PartitionedMessages> {
    const now = instantFromDate(new Date());
    const given = request.messages.map(({ createdAt, ...message }): IngestionEpisode => {
      const said = { createdAt: createdAt ?? now, addedAt: now };
      return { ...message, ...said, episodeUid: uuidv7(), projectUid: project.uid };
    });
    const episodes = [...(await this.stored(project, request.episodes)), ...given];
    if (tokensOf(episodes) > MAX_BATCH_TOKENS) throw tooLong();
    const messages = await this.partitions.first({ ...locationOf(set), attempt: '0' }, episodes);
    if (messages?.episodes.length !== episodes.length) throw mixed();
    return messages;
  }

  private async stored(project: OpenProject, uids: readonly string[]): Promise<IngestionEpisode[]> {
    const asked = [...new Set(uids.map((uid) => uid.toLowerCase()))];
    if (asked.length === 0) return [];
    const { episodes } = await this.rpc.call(describeEpisodes, { tenant: project.tenant, uids: asked });
    const known = new Map(episodes.map((episode) => [episode.uid, episode]));
    const missing = asked.filter((uid) => !known.has(uid));
    if (missing.length > 0) {
      const message = 'Some of these messages do not exist in the project; name others.';
      throw notFound('memory_not_found', message, { fields: { not_found: missing } });
    }
    return asked.flatMap((uid) => {
      const episode = known.get(uid);
      return episode ? [{ ...episode, episodeUid: episode.uid, projectUid: project.uid }] : [];
    });
  }

  private async planned(
    { set, category, messages }: Trial,
    { commands }: Extraction,
  ): Promise<{ refused: RefusedCommand[]; history: readonly NewHistoryEntry[] }> {
    const { changes, refused } = changesOf(commands, { ...messages, batch: messages.episodes, earlier: [] });
    const onRefused = ({ kind, tag, name }: NamedChange): void =>
      void refused.push({ command: kind, tag, feature: name, reason: PROPOSED });
    const origin = { kind: 'ingestion' as const, episodes: [] };
    const location = locationOf(set);
    const request = {
      location,
      category: category.name,
      partition: messages.partition,
      changes,
      origin,
      onRefused,
    };
    const history = await this.unitOfWork.run((tx) => this.writer.plan(tx, request), {
      scope: rowsIn(location),
    });
    return { refused, history };
  }
}

const PROPOSED = 'A client wrote this feature: the change would become a proposal.';

const refusal = (msg: string): Error =>
  invalid('invalid_request', [{ loc: ['body', 'messages'], msg, type: 'value_error' }]);

const tooLong = (): Error =>
  refusal(`The messages should have ${MAX_BATCH_TOKENS} tokens at most together: as many as one call reads`);

const mixed = (): Error =>
  refusal(
    'The messages should all be of trusted producers, or none of them: ingestion reads those of others apart',
  );
