import {
  type ConfigureSetRequest,
  configureSet,
  type IdentifySetRequest,
  invalid,
  notFound,
  type Problem,
  type ResourceKind,
  type SemanticSet,
  setsConfigured,
  type Tenant,
  tenantName,
} from '@loci/contracts';
import { Idempotency, Outbox, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type OpenProject, type Scope, scopeOf } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { RegisteredResources } from '../resources/registered-resources.js';
import { hasSetPrefix, PRODUCER, type SetIdentity } from './set-identity.js';
import { type MemorySet, type SetConfiguration, setOfType, type SetType, toSet, valuesOf } from './set.js';
import { SetsRepository } from './sets.repository.js';

const USER_PROFILE = 'User Profile';

/** More than anybody reads, and little enough to be asked for. */
const MAX_USERS = 100;

@Injectable()
export class SetsService {
  constructor(
    private readonly sets: SetsRepository,
    private readonly projects: ProjectsService,
    private readonly resources: RegisteredResources,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /**
   * The sets that each of the episodes belongs to, registered: the organization's, the project's, its producer's, and one
   * of each set type whose tags its metadata covers.
   */
  async setsOf(
    tx: Transaction,
    episodes: readonly {
      readonly project: OpenProject;
      readonly producerId: string;
      readonly metadata: Readonly<Record<string, string>>;
    }[],
  ): Promise<MemorySet[][]> {
    const types = new Map<string, SetType[]>();
    for (const { project } of episodes) {
      if (!types.has(project.uid)) types.set(project.uid, await this.sets.types(scopeOf(project), tx));
    }
    const sets = episodes.map(({ project: { uid, tenant }, producerId, metadata }) =>
      identities(tenant, types.get(uid) ?? [], { ...metadata, [PRODUCER]: producerId }).map((identity) =>
        toSet(identity, uid),
      ),
    );
    await this.sets.register([...new Map(sets.flat().map((set) => [set.uid, set])).values()], tx);
    return sets;
  }

  /** Those for metadata that a client names; nothing is registered. The project's set comes first. */
  async setsFor(
    { tenant, uid }: OpenProject,
    metadata: Readonly<Record<string, string>>,
  ): Promise<MemorySet[]> {
    const types = await this.sets.types({ orgId: tenant.orgId, projectUid: uid });
    return identities(tenant, types, metadata).map((identity) => toSet(identity, uid));
  }

  /** The id of the set for these tags and values, registered. @throws AppError `project_being_deleted` */
  async identify({ tenant, isOrgLevel, tags, metadata }: IdentifySetRequest): Promise<string> {
    const project = await this.projects.admit(tenant);
    const set = toSet({ tenant, isOrgLevel, tags: valuesOf(tags, metadata) }, project.uid);
    await this.sets.register([set]);
    return set.id;
  }

  /** The sets that an episode with this metadata would belong to. They are usable at once where the project exists. */
  async list(tenant: Tenant, metadata: Readonly<Record<string, string>>): Promise<SemanticSet[]> {
    const project = await this.projects.find(tenant);
    const scope = project ? scopeOf(project) : { orgId: tenant.orgId, projectUid: undefined };
    if (Object.hasOwn(metadata, PRODUCER)) await this.addUserProfile(tenant.orgId);
    const types = await this.sets.types(scope);
    const sets = identities(tenant, types, metadata).map((identity) => ({
      set: toSet(identity, project?.uid),
      isOrgLevel: identity.isOrgLevel,
    }));
    if (project) await this.sets.register(sets.map(({ set }) => set));
    return sets.map(({ set, isOrgLevel }) => describe(set, isOrgLevel, types));
  }

  /** @throws AppError `set_not_found`, or `invalid_request` for an id that is none */
  async get(scope: Scope, id: string, tx?: Transaction): Promise<MemorySet> {
    if (!hasSetPrefix(id)) throw notASetId();
    return known(await this.sets.find(scope, id, tx));
  }

  /** @throws AppError `set_not_found` */
  async byUid(scope: Scope, uid: string, tx?: Transaction): Promise<MemorySet> {
    return known(await this.sets.byUid(scope, uid, tx));
  }

  /** The set for a write to it; the default sets of the project and its organization need not be registered before. */
  async admit(project: OpenProject, id: string): Promise<MemorySet> {
    const known = await this.sets.find(scopeOf(project), id);
    if (known) return known;
    const defaults = [false, true].map((isOrgLevel) =>
      toSet({ tenant: project.tenant, isOrgLevel, tags: {} }, project.uid),
    );
    await this.sets.register(defaults.filter((set) => set.id === id));
    return this.get(scopeOf(project), id);
  }

  /** Sets that were configured to use a resource, as a person would name them. */
  async using(kind: ResourceKind, name: string): Promise<string[]> {
    const ids = await this.sets.using(kind, name, MAX_USERS);
    return ids.map((id) => `semantic set ${id}`);
  }

  /**
   * Changes which models a set uses. Another embedder takes over when it has embedded every feature.
   * @throws AppError `set_not_found`, `unknown_resource`, `invalid_request`
   */
  async configure(request: ConfigureSetRequest): Promise<void> {
    const { tenant, setId, embedderName, llmName, idempotency } = request;
    const scope = { tenant: tenantName(tenant), operation: configureSet.subject };
    const prepare = async (): Promise<{ project: OpenProject; set: MemorySet }> => {
      await this.refuseUnknown(request);
      const project = await this.projects.admit(tenant);
      return { project, set: await this.admit(project, setId) };
    };
    await this.idempotency.runPrepared(scope, idempotency, prepare, async (tx, { project, set }) => {
      await this.projects.hold(project, tx);
      await this.sets.configure(
        set.uid,
        { ...(embedderName !== undefined && { embedderName }), ...(llmName !== undefined && { llmName }) },
        tx,
      );
      await this.outbox.append(tx, setsConfigured, { setUid: set.uid });
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

  private async addUserProfile(orgId: string): Promise<void> {
    await this.sets.addType({
      uid: uuidv7(),
      orgId,
      projectUid: undefined,
      tags: [PRODUCER],
      name: USER_PROFILE,
      description: undefined,
    });
  }
}

function known(set: MemorySet | undefined): MemorySet {
  if (!set) throw notFound('set_not_found', 'This set does not exist; get its id from set_id/get first.');
  return set;
}

/** Those of api-contract §5.5: each once, the project's own first. */
function identities(
  tenant: Tenant,
  types: readonly SetType[],
  metadata: Readonly<Record<string, string>>,
): SetIdentity[] {
  const user = { projectUid: undefined, tags: [PRODUCER] };
  const project: SetIdentity = { tenant, isOrgLevel: false, tags: {} };
  const org: SetIdentity = { tenant, isOrgLevel: true, tags: {} };
  const others = [user, ...types].flatMap((type) => setOfType(type, tenant, metadata) ?? []);
  const byKey = new Map([project, org, ...others].map((identity) => [JSON.stringify(identity), identity]));
  return [...byKey.values()];
}

function describe(set: MemorySet, isOrgLevel: boolean, types: readonly SetType[]): SemanticSet {
  const tags = Object.keys(set.tags).sort();
  const type = types.find(
    (candidate) =>
      (candidate.projectUid === undefined) === isOrgLevel &&
      JSON.stringify([...candidate.tags].sort()) === JSON.stringify(tags),
  );
  return { setId: set.id, isOrgLevel, tags, name: type?.name, description: type?.description };
}

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
