import {
  type ConfigureSetRequest,
  configureSet,
  type IdentifySetRequest,
  invalid,
  type ListSetsRequest,
  notFound,
  type OrganizationAccess,
  type Problem,
  type ResourceKind,
  type SemanticSet,
  setsConfigured,
  tenantName,
} from '@loci/contracts';
import { Idempotency, Outbox, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import {
  noneOfOrganization,
  type OpenProject,
  requireChange,
  type Scope,
  scopeOf,
  requireUnboundAuthor,
} from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { RegisteredResources } from '../resources/registered-resources.js';
import { keysHashIn, readSetId } from './parse-set-id.js';
import { describeSets, uidsOfTypes } from './described-sets.js';
import { kindOfId, PRODUCER, setIdOf } from './set-identity.js';
import { madeUpSet, type MemorySet, type SetConfiguration, toSet, valuesOf } from './set.js';
import { NewSets } from './new-sets.js';
import { identities, setsOfMetadata } from './sets-of-metadata.js';
import { SetsRepository } from './sets.repository.js';

/** More than a reader needs, and few enough to be read at once. */
const MAX_USERS = 100;

/** The sets of one episode. */
export interface EpisodeSets {
  readonly sets: readonly MemorySet[];
  /** False when some are left out: the quota of the organization has no room for them, or one message has too many. */
  readonly areAll: boolean;
}

@Injectable()
export class SetsService {
  constructor(
    private readonly sets: SetsRepository,
    private readonly newSets: NewSets,
    private readonly projects: ProjectsService,
    private readonly resources: RegisteredResources,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /**
   * The sets that each of several new messages belongs to: the organization's, the project's, its producer's, and one of each
   * set type whose tags its metadata covers, as far as one message may belong to so many.
   * @param metadata of each message, with its producer
   */
  async setsOfNew(
    project: OpenProject,
    metadata: readonly Readonly<Record<string, string>>[],
  ): Promise<EpisodeSets[]> {
    const types = await this.sets.tagsOfTypes(scopeOf(project, 'change'));
    return metadata.map((one) => {
      const found = identities(project.tenant, types, one);
      return { ...found, sets: found.identities.map((identity) => toSet(identity, project.uid)) };
    });
  }

  /** Registers the sets of several messages, as far as the quota has room. */
  async registerSets(tx: Transaction, sets: readonly (readonly MemorySet[])[]): Promise<EpisodeSets[]> {
    const each = [...new Map(sets.flat().map((set) => [set.uid, set])).values()];
    const refused = await this.newSets.registerSome(each, tx);
    return sets.map((all) => {
      const registered = all.filter(({ uid }) => !refused.has(uid));
      return { sets: registered, areAll: registered.length === all.length };
    });
  }

  /**
   * Those that messages with such metadata go to, the organization's among them: what a caller may read of these is for
   * `readable` to say. The project's set comes first.
   */
  async setsFor(project: OpenProject, metadata: Readonly<Record<string, string>>): Promise<MemorySet[]> {
    return (await this.setsForEach(project, [metadata])).flat();
  }

  /** As `setsFor`, for several messages. */
  async setsForEach(
    project: OpenProject,
    metadata: readonly Readonly<Record<string, string>>[],
  ): Promise<MemorySet[][]> {
    const types = await this.sets.tagsOfTypes(scopeOf(project, 'read'));
    return metadata.map((one) => setsOfMetadata(project, types, one));
  }

  /**
   * The id of the set for these tags and values, whether or not there is anything in it.
   * @throws AppError `set_not_found` for one of the organization that the caller may not see; `project_not_found` where
   * projects are not created by writing
   */
  async identify(request: IdentifySetRequest): Promise<string> {
    const { tenant, organization, isOrgLevel, tags, metadata } = request;
    await this.projects.refuseMissing(tenant);
    if (isOrgLevel && organization === 'none') throw noneOfOrganization('set_not_found', 'sets');
    return setIdOf({ tenant, isOrgLevel, tags: valuesOf(tags, metadata) });
  }

  /**
   * The sets that a message with this metadata would belong to, as far as the caller may see them.
   * @throws AppError `body_too_large`
   */
  async list(request: ListSetsRequest): Promise<SemanticSet[]> {
    const { tenant, organization, metadata } = request;
    const scope = await this.projects.scope(request);
    // which types come first is told with those of the organization for every caller: a message is in its sets, too
    const types = await this.sets.tagsOfTypes({ ...scope, organization: 'read' });
    const found = identities(tenant, types, metadata).identities.filter(
      ({ isOrgLevel }) => !isOrgLevel || organization !== 'none',
    );
    const described = await this.sets.typesByUid(scope, uidsOfTypes(found, types));
    return describeSets(found, described);
  }

  /** @throws AppError `set_not_found`, or `invalid_request` for an id that is none */
  async get(scope: Scope, id: string, tx?: Transaction): Promise<MemorySet> {
    if (!kindOfId(id)) throw notASetId();
    return known(await this.sets.find(scope, id, tx));
  }

  /** Whether messages or clients made a set of this id. */
  async isRegistered(scope: Scope, id: string): Promise<boolean> {
    return (await this.sets.find(scope, id)) !== undefined;
  }

  /** @throws AppError `set_not_found` */
  async byUid(scope: Scope, uid: string, tx?: Transaction): Promise<MemorySet> {
    return known(await this.sets.byUid(scope, uid, tx));
  }

  /**
   * The set for a write to it, registered: ids of the shape that this service gives stand for the sets of their level, any
   * other id with a known prefix for a set of the project.
   * @throws AppError `set_not_found`, `forbidden`, `quota_exceeded`, or `invalid_request` for an id that is none
   */
  async ensure(project: OpenProject, organization: OrganizationAccess, id: string): Promise<MemorySet> {
    const scope = scopeOf(project, organization);
    const registered = await this.sets.find(scope, id);
    const set = registered ?? (await this.named(project, id));
    if (set.projectUid === undefined && organization === 'none') throw setNotFound();
    requireChange(scope, set);
    if (!registered) await this.newSets.register([set]);
    return set;
  }

  /** The set that an id stands for which nothing is registered under. @throws as `ensure` */
  private async named(project: OpenProject, id: string): Promise<MemorySet> {
    const kind = kindOfId(id);
    if (!kind) throw notASetId();
    const hash = keysHashIn(id, project.tenant);
    const keys = hash === undefined ? [] : await this.sets.keysOfTypes(scopeOf(project, 'read'), hash);
    const read = readSetId(id, project.tenant, [[PRODUCER], ...keys]);
    switch (read.kind) {
      case 'identity':
        return toSet(read.identity, project.uid);
      case 'unknown':
        throw setNotFound();
      case 'made_up':
        return madeUpSet({ orgId: project.tenant.orgId, projectUid: project.uid }, kind, id);
    }
  }

  /** Sets that were configured to use a resource, as a person would name them. */
  async using(kind: ResourceKind, name: string): Promise<string[]> {
    const ids = await this.sets.using(kind, name, MAX_USERS);
    return ids.map((id) => `semantic set ${id}`);
  }

  /**
   * Changes which models a set uses. Another embedder takes over when it has embedded every feature.
   * @throws AppError `set_not_found`, `unknown_resource`, `invalid_request`, `producer_not_allowed`
   */
  async configure(request: ConfigureSetRequest): Promise<void> {
    const { tenant, organization, setId, embedderName, llmName, idempotency } = request;
    requireUnboundAuthor();
    const scope = { tenant: tenantName(tenant), operation: configureSet.subject };
    const prepare = async (): Promise<{ project: OpenProject; set: MemorySet }> => {
      await this.refuseUnknown(request);
      const project = await this.projects.ensureOpen(tenant);
      return { project, set: await this.ensure(project, organization, setId) };
    };
    await this.idempotency.runPrepared(scope, idempotency, prepare, async (tx, { project, set }) => {
      await this.projects.keepOpen(project, tx);
      const isChanged = await this.sets.configure(
        set,
        { ...(embedderName !== undefined && { embedderName }), ...(llmName !== undefined && { llmName }) },
        tx,
      );
      if (isChanged) await this.outbox.append(tx, setsConfigured, { setUid: set.uid });
      return {};
    });
    this.outbox.wake();
  }

  /** The names of a configuration that mean something in this deployment. @throws AppError `service_unavailable` */
  async usable({ embedderName, llmName }: Partial<SetConfiguration>): Promise<SetConfiguration> {
    const hasEmbedder = embedderName !== undefined && (await this.resources.has('embedder', embedderName));
    const hasModel = llmName !== undefined && (await this.resources.has('language_model', llmName));
    return {
      embedderName: hasEmbedder ? embedderName : undefined,
      llmName: hasModel ? llmName : undefined,
    };
  }

  private async refuseUnknown({ embedderName, llmName }: ConfigureSetRequest): Promise<void> {
    const usable = await this.usable({ embedderName, llmName });
    const problems: Problem[] = [
      ...(usable.embedderName === embedderName ? [] : [unknownEmbedder]),
      ...(usable.llmName === llmName ? [] : [unknownModel]),
    ];
    const [first, ...rest] = problems;
    if (first) throw invalid('unknown_resource', [first, ...rest]);
  }
}

function known(set: MemorySet | undefined): MemorySet {
  if (!set) throw setNotFound();
  return set;
}

const setNotFound = (): Error =>
  notFound('set_not_found', 'This set does not exist; get its id from set_id/get first.');

const unknownModel: Problem = {
  loc: ['body', 'llm_name'],
  msg: 'This language model is not registered; add it first, or use another name',
  type: 'unknown_resource',
};

const unknownEmbedder: Problem = {
  loc: ['body', 'embedder_name'],
  msg: 'This embedder is not registered; add it first, or use another name',
  type: 'unknown_resource',
};

function notASetId(): Error {
  const msg =
    'This is no id of a set: those begin with mem_project_set, mem_set_type, mem_user_set or mem_other_set';
  return invalid('invalid_request', [{ loc: ['body', 'set_id'], msg, type: 'string_pattern_mismatch' }]);
}
