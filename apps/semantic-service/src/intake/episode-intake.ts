import { describeEpisodes, type Episode, type EpisodesReference } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { groupsOf, type Group } from '../reconciliation/groups.js';
import { type OpenProject } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { SetsService } from '../sets/sets.service.js';
import { type IncomingEpisode } from './backlog.js';
import { IntakeService } from './intake.service.js';

/** What an event says. */
export interface AddedReference {
  readonly reference: EpisodesReference;
  /** When the episodes were added. */
  readonly receivedAt: Date;
}

/** Episodes asked for at once: few, because the episodic service answers with their texts. */
const DESCRIBED_AT_ONCE = 100;

interface Source {
  readonly project: OpenProject;
  readonly receivedAt: Date;
  readonly episode: Episode;
}

/** Brings episodes into the backlogs of all sets that they belong to. */
@Injectable()
export class EpisodeIntake {
  constructor(
    private readonly rpc: RpcClient,
    private readonly projects: ProjectsService,
    private readonly sets: SetsService,
    private readonly intake: IntakeService,
  ) {}

  /**
   * All of them, or none. Harmless when repeated. Episodes that are deleted, or whose project is closed, are left out.
   */
  async take(added: readonly AddedReference[]): Promise<void> {
    const groups = groupsOf(added, ({ reference }) => reference.projectUid);
    const sources = (await Promise.all(groups.map((group) => this.describe(group)))).flat();
    if (sources.length === 0) return;
    await this.intake.take(async (tx) => {
      const held = await this.projects.holdOpen(
        sources.map(({ project }) => project),
        tx,
      );
      const open = sources.filter(({ project }) => held.has(project.uid));
      const sets = await this.sets.setsOf(
        tx,
        open.map(({ project, episode: { producerId, metadata } }) => ({ project, producerId, metadata })),
      );
      return open.map(({ project, receivedAt, episode }, place): IncomingEpisode => ({
        uid: episode.uid,
        saidAt: episode.createdAt,
        tenant: project.tenant,
        projectUid: project.uid,
        receivedAt,
        sets: (sets[place] ?? []).map((set) => ({
          uid: set.uid,
          isOrgLevel: set.projectUid === undefined,
        })),
      }));
    });
  }

  private async describe(added: Group<AddedReference>): Promise<Source[]> {
    const [first] = added;
    const project = await this.projects.admitReference(first.reference);
    if (!project) return [];
    const receivedAt = new Map(
      added.flatMap(({ reference, receivedAt: at }) => reference.uids.map((uid) => [uid, at] as const)),
    );
    const uids = [...receivedAt.keys()];
    const sources: Source[] = [];
    for (let start = 0; start < uids.length; start += DESCRIBED_AT_ONCE) {
      const { episodes } = await this.rpc.call(describeEpisodes, {
        tenant: project.tenant,
        uids: uids.slice(start, start + DESCRIBED_AT_ONCE),
      });
      for (const episode of episodes) {
        sources.push({ project, episode, receivedAt: receivedAt.get(episode.uid) ?? first.receivedAt });
      }
    }
    return sources;
  }
}
