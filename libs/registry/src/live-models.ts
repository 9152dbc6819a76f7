import { type Resource, type ResourceKind, resourceTitle, unavailable } from '@loci/contracts';
import {
  type Embedder,
  type LanguageModel,
  type ModelFactory,
  type ModelPeers,
  type Reranker,
} from '@loci/models';
import { inBackground, type Logger } from '@loci/platform';
import { partsOf } from './resource-parts.js';

/** What works with a model when it is replaced gets to its end: no call takes longer. */
const CLOSE_AFTER_MS = 5 * 60_000;

interface Built<Model> {
  readonly version: string;
  readonly model: Promise<Model>;
  /** The embedder of the process belongs to the process. */
  readonly isShared: boolean;
}

/** What models are built by. */
export type ModelMaker = Pick<ModelFactory, 'languageModel' | 'embedder' | 'reranker'>;

type Find = (kind: ResourceKind, name: string) => Resource | undefined;
type Build<Model> = (resource: Resource) => Promise<Model>;

/** The models of the registry, each built when it is first asked for, and again when its resource has changed. */
export class LiveModels implements ModelPeers {
  private readonly languageModels: ModelCache<LanguageModel>;
  private readonly embedders: ModelCache<Embedder>;
  private readonly rerankers: ModelCache<Reranker>;

  /** @param find the resource as it is now */
  constructor(factory: ModelMaker, find: Find, logger: Logger) {
    this.languageModels = new ModelCache('language_model', find, (one) => factory.languageModel(one), logger);
    this.embedders = new ModelCache('embedder', find, (one) => factory.embedder(one), logger);
    this.rerankers = new ModelCache('reranker', find, (one) => factory.reranker(one, this), logger);
  }

  /** @throws AppError `resource_not_ready` saying why; whatever its construction throws */
  languageModel(name: string): Promise<LanguageModel> {
    return this.languageModels.get(name);
  }

  /** @throws AppError `resource_not_ready` saying why; whatever its construction throws */
  embedder(name: string): Promise<Embedder> {
    return this.embedders.get(name);
  }

  /** @throws AppError `resource_not_ready` saying why; whatever its construction throws */
  reranker(name: string): Promise<Reranker> {
    return this.rerankers.get(name);
  }

  /** Lets go of what was built from a resource that is another one now, or gone. */
  retireOutdated(): void {
    for (const cache of this.caches()) cache.retireOutdated();
  }

  /** Lets go of everything that was built: numbers of revisions that began again say nothing about it. */
  retireAll(): void {
    for (const cache of this.caches()) cache.retireAll();
  }

  async close(): Promise<void> {
    await Promise.all(this.caches().map((cache) => cache.close()));
  }

  private caches(): { retireOutdated(): void; retireAll(): void; close(): Promise<void> }[] {
    return [this.rerankers, this.embedders, this.languageModels];
  }
}

class ModelCache<Model extends { close(): Promise<void> }> {
  private readonly built = new Map<string, Built<Model>>();
  private readonly retired = new Map<Built<Model>, NodeJS.Timeout>();

  constructor(
    private readonly kind: ResourceKind,
    private readonly find: Find,
    private readonly build: Build<Model>,
    private readonly logger: Logger,
  ) {}

  async get(name: string): Promise<Model> {
    const resource = readyOne(this.kind, name, this.find(this.kind, name));
    const version = versionOf(resource, this.find);
    const current = this.built.get(name);
    if (current?.version === version) return current.model;
    if (current) this.retire(name, current);
    const model = inBackground(() => this.build(resource));
    const built = { version, model, isShared: resource.provider === 'local' };
    this.built.set(name, built);
    try {
      return await built.model;
    } catch (error) {
      if (this.built.get(name) === built) this.built.delete(name);
      throw error;
    }
  }

  retireOutdated(): void {
    for (const [name, built] of this.built) {
      const resource = this.find(this.kind, name);
      if (!resource || versionOf(resource, this.find) !== built.version) this.retire(name, built);
    }
  }

  retireAll(): void {
    for (const [name, built] of this.built) this.retire(name, built);
  }

  async close(): Promise<void> {
    const all = [...this.built.values(), ...this.retired.keys()];
    for (const timer of this.retired.values()) clearTimeout(timer);
    this.built.clear();
    this.retired.clear();
    await Promise.all(all.map((built) => this.end(built)));
  }

  private retire(name: string, built: Built<Model>): void {
    this.built.delete(name);
    const timer = setTimeout(() => {
      this.retired.delete(built);
      void this.end(built);
    }, CLOSE_AFTER_MS);
    this.retired.set(built, timer.unref());
  }

  private async end({ model, isShared }: Built<Model>): Promise<void> {
    if (isShared) return;
    try {
      await (await model).close();
    } catch (error) {
      this.logger.debug('a model that is not used any more could not be closed', { error });
    }
  }
}

/** Changes with the resource, and with everything that it is made of, each part of which is looked at once. */
function versionOf(resource: Resource, find: Find): string {
  const revisions = new Map<string, string>();
  const note = (whole: Resource): void => {
    for (const { kind, name } of partsOf(whole)) {
      const key = `${kind} ${name}`;
      if (revisions.has(key)) continue;
      const part = find(kind, name);
      revisions.set(key, part ? String(part.revision) : 'missing');
      if (part) note(part);
    }
  };
  note(resource);
  return [resource.revision, ...revisions.values()].join('-');
}

function readyOne(kind: ResourceKind, name: string, resource: Resource | undefined): Resource {
  if (resource?.status === 'ready') return resource;
  const title = resourceTitle(kind, name);
  const story = !resource
    ? `${title} is not registered: add it, or choose another one.`
    : resource.status === 'pending'
      ? `${title} is still being probed; try again in a moment.`
      : `${title} is failed: ${resource.error ?? 'its provider does not serve it.'}`;
  throw unavailable('resource_not_ready', story, { retryAfterSeconds: 2 });
}
