import {
  addFeature,
  type AddFeatureRequest,
  notFound,
  type RemovedEpisodes,
  removeFeatures,
  type RemoveFeaturesRequest,
  type Tenant,
  tenantName,
  updateFeature,
  type UpdateFeatureRequest,
} from '@loci/contracts';
import { Idempotency, Outbox, type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { CategoriesService } from '../categories/categories.service.js';
import { FeatureLedger } from '../features/feature-ledger.js';
import { type ChangeOrigin, type Feature, type FeatureRecord } from '../features/feature.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { scopeOf } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { type MemorySet } from '../sets/set.js';
import { SetsService } from '../sets/sets.service.js';
import { CitedEpisodes } from './cited-episodes.js';

const CLIENT: ChangeOrigin = { kind: 'client', episodes: [] };

/** What clients do to features with their own hands. */
@Injectable()
export class EditingService {
  constructor(
    private readonly features: FeaturesRepository,
    private readonly ledger: FeatureLedger,
    private readonly sets: SetsService,
    private readonly categories: CategoriesService,
    private readonly projects: ProjectsService,
    private readonly episodes: CitedEpisodes,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /**
   * @returns the uid of the feature; of the one that is there when it says the very same
   * @throws AppError `set_not_found`, `category_not_found`, `memory_not_found` for a citation, `invalid_request`
   */
  async add(request: AddFeatureRequest): Promise<string> {
    const { tenant, category, tag, name, value, metadata } = request;
    const project = await this.projects.admit(tenant);
    const set = await this.sets.admit(project, request.setId);
    await this.refuseUnavailable(set, category);
    const citations = await this.episodes.describe(project, request.citations);
    const uid = await this.write(addFeature.subject, request, async (tx) => {
      await this.projects.hold(project, tx);
      const place = { setUid: set.uid, orgId: set.orgId, projectUid: set.projectUid };
      const content = { category, tag, name, value, metadata, byClient: true, citations };
      return this.ledger.write(tx, { uid: uuidv7(), ...place, ...content }, undefined, CLIENT);
    });
    this.outbox.wake();
    return uid;
  }

  /** @throws AppError `feature_not_found` */
  async get(tenant: Tenant, uid: string): Promise<{ feature: Feature; citations: string[] }> {
    const scope = await this.projects.scope(tenant);
    const found = isUuid(uid) ? await this.features.find(scope, uid) : undefined;
    if (!found) throw featureNotFound();
    return found;
  }

  /** Absent = unchanged. @throws AppError `feature_not_found`, `category_not_found` */
  async update(request: UpdateFeatureRequest): Promise<void> {
    const { tenant, featureId, category, tag, name, value, metadata } = request;
    const { feature } = await this.get(tenant, featureId);
    const scope = await this.projects.scope(tenant);
    if (category !== undefined)
      await this.refuseUnavailable(await this.sets.get(scope, feature.setId), category);
    await this.write(updateFeature.subject, request, async (tx) => {
      await this.features.lockSet(feature.setUid, tx);
      const [before] = await this.features.recordsOf(scope, [feature.uid], tx);
      if (!before) throw featureNotFound();
      const after: FeatureRecord = {
        ...before,
        category: category ?? before.category,
        tag: tag ?? before.tag,
        name: name ?? before.name,
        value: value ?? before.value,
        metadata: metadata ?? before.metadata,
        byClient: true,
      };
      return this.ledger.write(tx, after, before, CLIENT);
    });
    this.outbox.wake();
  }

  /** Deletes what it finds, with all that was known of it. @throws AppError `project_not_found` */
  async remove(request: RemoveFeaturesRequest): Promise<RemovedEpisodes> {
    const project = await this.projects.get(request.tenant);
    const asked = [...new Set(request.featureIds)];
    const removed = await this.write(removeFeatures.subject, request, async (tx) => {
      await this.projects.hold(project, tx);
      const records = await this.features.recordsOf(scopeOf(project), asked.filter(isUuid), tx);
      await this.ledger.remove(tx, records, { origin: CLIENT, keepHistory: false });
      const deleted = new Set(records.map(({ uid }) => uid));
      const wasDeleted = (uid: string): boolean => deleted.has(uid.toLowerCase());
      return { deleted: asked.filter(wasDeleted), notFound: asked.filter((uid) => !wasDeleted(uid)) };
    });
    this.outbox.wake();
    return removed;
  }

  private async refuseUnavailable(set: MemorySet, category: string): Promise<void> {
    const available = await this.categories.available(set);
    if (available.some(({ name }) => name === category)) return;
    throw notFound('category_not_found', 'The set does not have this category; add it to the set first.');
  }

  private write<Result>(
    operation: string,
    { tenant, idempotency }: Pick<AddFeatureRequest, 'tenant' | 'idempotency'>,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.idempotency.run({ tenant: tenantName(tenant), operation }, idempotency, work);
  }
}

export const featureNotFound = (): Error =>
  notFound('feature_not_found', 'This feature does not exist; list or search features for their ids.');
