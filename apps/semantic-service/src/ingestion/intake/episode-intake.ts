import {
  type DescribedEpisode,
  type EpisodesReference,
  type IngestedSet,
  type Instant,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { type Transaction } from '@loci/persistence';
import { Logger, Metrics, partsWithin } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { describeInParts } from '../../described-episodes.js';
import { EpisodeForgetter } from '../../erasure/episode-forgetter.js';
import { groupsOf, type Group } from '../../groups.js';
import { type OpenProject } from '../../projects/project.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { type MemorySet } from '../../sets/set.js';
import { metadataForSets } from '../../features/message-user.js';
import { SetsService } from '../../sets/sets.service.js';
import { Learnability } from '../settings/learnability.js';
import { type AddedEpisode, type IncomingEpisode, type IncomingSet } from '../backlog/backlog.js';
import { BacklogRepository } from '../backlog/backlog.repository.js';
import { IntakeService } from './intake.service.js';
import { LearningSets } from './learning-sets.js';
import { MessagesWithoutSet } from '../backlog/messages-without-set.js';

/** What an event says. */
export interface AddedReference {
  readonly reference: EpisodesReference;
  /** When the episodes were added. */
  readonly receivedAt: Date;
  /** The `traceparent`s of the requests that added them. */
  readonly causes: readonly string[];
}

/** Described together: each may belong to many sets, which are in memory until they are registered. */
const MAX_DESCRIBED = 1_000;

/** Registered in one transaction, so that no statement takes long, whatever the messages of one event belong to. */
const MAX_SETS_AT_ONCE = 8_192;

/** An episode without its metadata: those of many are too much to be kept until all are known. */
interface Source extends Pick<AddedReference, 'receivedAt' | 'causes'> {
  readonly project: OpenProject;
  readonly episode: Pick<DescribedEpisode, 'uid' | 'createdAt' | 'addedAt' | 'ingested'>;
  /** Those that it belongs to. */
  readonly sets: readonly MemorySet[];
}

/** Brings episodes into the backlogs of those sets that they belong to in which a category is at work: others learn nothing, and keep nothing of them. */
@Injectable()
export class EpisodeIntake {
  private readonly cut;

  constructor(
    private readonly rpc: RpcClient,
    private readonly projects: ProjectsService,
    private readonly sets: SetsService,
    private readonly learning: LearningSets,
    private readonly learnability: Learnability,
    private readonly intake: IntakeService,
    private readonly backlog: BacklogRepository,
    private readonly withoutSet: MessagesWithoutSet,
    private readonly forgetter: EpisodeForgetter,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.cut = metrics.counter(
      'loci_messages_of_too_many_sets_total',
      'Messages that are in fewer semantic sets than their metadata say: one message belongs to 64 at most.',
    );
  }

  /**
   * Harmless when repeated: very many of them are taken in several steps. Episodes that are deleted, or whose project is closed, are left out.
   * Where the quota has no room for a set, the episode waits to be taken again. One whose uid belonged to another before says that this one was deleted, which is forgotten first.
   * While nothing can learn from them they are counted alone, and taken again when the order of adding is followed.
   * @param isAgain whether they were found in that order, or may have been taken before
   * @returns whether anything was new
   */
  async take(
    added: readonly AddedReference[],
    { isAgain = false }: { readonly isAgain?: boolean } = {},
  ): Promise<boolean> {
    const parts = partsWithin(added, {
      maxSize: MAX_DESCRIBED,
      sizeOf: ({ reference }) => reference.uids.length,
    });
    let isNew = false;
    for (const part of parts) isNew = (await this.takePart(part, isAgain)) || isNew;
    return isNew;
  }

  /**
   * As `take`, for messages of a project that its own sets learn from again.
   * @param until when they were learned: what was learned later is not learned again, nor is what was added later
   * @param begin whether it is to be done; with what belongs to the same transaction
   */
  async takeAgain(
    added: AddedReference,
    until: Instant,
    begin: (tx: Transaction) => Promise<boolean>,
  ): Promise<void> {
    const sources = await this.describe([added]);
    const former = sources.filter(({ episode }) => episode.addedAt <= until);
    await this.intake.reopen(async (tx) => {
      if (!(await begin(tx))) return [];
      const episodes = await this.incoming(former, tx);
      return episodes.map((episode) => ({
        ...episode,
        sets: episode.sets.flatMap(({ uid, isOrgLevel }) => (isOrgLevel ? [] : [{ uid, isOrgLevel }])),
      }));
    }, until);
  }

  private async takePart(added: readonly AddedReference[], isAgain: boolean): Promise<boolean> {
    const groups = groupsOf(added, ({ reference }) => reference.projectUid);
    const sources = (await Promise.all(groups.map((group) => this.describe(group)))).flat();
    if (sources.length === 0) return false;
    await this.forgetFormer(
      sources.map(({ project, episode: { uid, addedAt } }) => ({ projectUid: project.uid, uid, addedAt })),
    );
    const taking = isAgain ? 'again' : (await this.learnability.isGiven()) ? 'now' : 'later';
    let isNew = false;
    for (const some of partsWithin(sources, {
      maxSize: MAX_SETS_AT_ONCE,
      sizeOf: ({ sets }) => sets.length,
    })) {
      isNew = (await this.intake.take((tx) => this.incoming(some, tx), taking)) || isNew;
    }
    return isNew;
  }

  /** With the sets that learn from them, registered as far as the quota has room. */
  private async incoming(sources: readonly Source[], tx: Transaction): Promise<IncomingEpisode[]> {
    const openUids = await this.projects.keepAllOpen(
      sources.map(({ project }) => project),
      tx,
    );
    const open = sources.filter(({ project }) => openUids.has(project.uid));
    const sets = await this.sets.registerSets(
      tx,
      open.map((source) => source.sets),
    );
    await this.withoutSet.note(
      open.filter((_, index) => !sets[index]?.areAll),
      tx,
    );
    const learning = await this.learning.among(
      sets.flatMap((one) => one.sets),
      tx,
    );
    return open.map(({ project, receivedAt, causes, episode }, index): IncomingEpisode => ({
      uid: episode.uid,
      saidAt: episode.createdAt,
      addedAt: episode.addedAt,
      tenant: project.tenant,
      projectUid: project.uid,
      receivedAt,
      causes,
      sets: (sets[index]?.sets ?? [])
        .filter(({ uid }) => learning.has(uid))
        .map((set) => toIncoming(set, episode.ingested ?? [])),
    }));
  }

  private async forgetFormer(episodes: readonly AddedEpisode[]): Promise<void> {
    const former = await this.backlog.former(episodes);
    for (const group of groupsOf(former, ({ projectUid, addedAt }) => `${projectUid} ${addedAt}`)) {
      const [{ projectUid, addedAt: addedUntil }] = group;
      await this.forgetter.forgetDeleted({ projectUid, uids: group.map(({ uid }) => uid), addedUntil });
    }
  }

  private async describe(added: Group<AddedReference>): Promise<Source[]> {
    const [first] = added;
    const project = await this.projects.openReferenced(first.reference);
    if (!project) return [];
    const origins = new Map(
      added.flatMap((origin) => origin.reference.uids.map((uid) => [uid, origin] as const)),
    );
    const sources: Source[] = [];
    const asked = { tenant: project.tenant, uids: [...origins.keys()], withoutContent: true };
    for await (const episodes of describeInParts(this.rpc, asked)) {
      const sets = await this.sets.setsOfNew(project, episodes.map(metadataForSets));
      for (const [index, { uid, createdAt, addedAt, ingested }] of episodes.entries()) {
        const { receivedAt, causes } = origins.get(uid) ?? first;
        const episode = { uid, createdAt, addedAt, ingested };
        sources.push({ project, episode, sets: sets[index]?.sets ?? [], receivedAt, causes });
      }
      this.noteCut(project, sets.filter(({ areAll }) => !areAll).length);
    }
    return sources;
  }

  private noteCut({ uid }: OpenProject, messages: number): void {
    if (messages === 0) return;
    this.cut.inc(messages);
    this.logger.warn('messages belong to fewer sets than their metadata say: they would be too many', {
      project: uid,
      messages,
    });
  }
}

/** What came from elsewhere brings along what was learned from it there; it is not learned again. */
function toIncoming({ uid, projectUid, tags }: MemorySet, ingested: readonly IngestedSet[]): IncomingSet {
  const isOrgLevel = projectUid === undefined;
  const known = ingested.find((set) => set.isOrgLevel === isOrgLevel && hasSameTags(set.tags, tags));
  return { uid, isOrgLevel, ingested: known && (known.categories ?? 'all') };
}

const hasSameTags = (some: MemorySet['tags'], others: MemorySet['tags']): boolean =>
  Object.keys(some).length === Object.keys(others).length &&
  Object.entries(some).every(([tag, value]) => Object.hasOwn(others, tag) && others[tag] === value);
