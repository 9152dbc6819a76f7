import {
  addFeature,
  type AddFeatureRequest,
  type FeatureRequest,
  type Instant,
  instantFromDate,
  invalid,
  isIndexable,
  MAX_NAME_BYTES,
  notFound,
  type RemovedEpisodes,
  removeFeatures,
  type RemoveFeaturesRequest,
  tenantName,
  updateFeature,
  type UpdateFeatureRequest,
} from '@loci/contracts';
import { Idempotency, Outbox, type Transaction } from '@loci/persistence';
import { boundProducer } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { CategoriesService } from '../categories/categories.service.js';
import { type FeatureWrite, FeatureWriter } from '../features/feature-writer.js';
import { saidAgain } from '../features/expiry.js';
import { byClient, featureOrigin } from '../features/feature-origins.js';
import {
  asOneChange,
  type Citation,
  type Feature,
  type FeatureFact,
  type FeatureRecord,
} from '../features/feature.js';
import { TRUSTED } from '../features/partition.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { ended, former, sinceThen } from '../features/replaced-feature.js';
import { allDates, statementsOf, validityOf } from '../features/validity.js';
import { type OpenProject, requireChange, type Scope, scopeOf } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { requireOwnFact } from '../sets/own-facts.js';
import { locationOf, type MemorySet, userOfSet } from '../sets/set.js';
import { SetsService } from '../sets/sets.service.js';
import { CitedEpisodes } from './cited-episodes.js';

/** What clients do to features with their own hands. */
@Injectable()
export class EditingService {
  constructor(
    private readonly features: FeaturesRepository,
    private readonly writer: FeatureWriter,
    private readonly sets: SetsService,
    private readonly categories: CategoriesService,
    private readonly projects: ProjectsService,
    private readonly episodes: CitedEpisodes,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /**
   * @returns the uid of the feature; of the one that is there when it says the very same
   * @throws AppError `set_not_found`, `category_not_found`, `memory_not_found` for a citation, `invalid_request`,
   * `producer_not_allowed`
   */
  async add(request: AddFeatureRequest): Promise<string> {
    const { category, tag, name, value, metadata, validity = {}, isPinned, isSingleValued } = request;
    const uid = await this.write(
      addFeature.subject,
      request,
      () => this.prepare(request),
      async (tx, prepared) => {
        const { project, set, citations } = prepared;
        await this.projects.keepOpen(project, tx);
        await this.categories.keep(set, [category], tx);
        await this.features.lockSets([set.uid], tx);
        await this.categories.refuseUnavailable(set, category, tx);
        const change = byClient();
        const subject = request.subject ?? userOfSet(set);
        requireIndexable(subject);
        requireOwnFact({ subject, metadata }, set);
        const content = { subject, category, tag, name, value, metadata, citations, isSingleValued };
        const written = { ...TRUSTED, byClient: true, origin: featureOrigin(change), recordedAt: now() };
        const dates = allDates(statementsOf(validity, []));
        const record = { uid: uuidv7(), ...locationOf(set), ...content, ...written, dates };
        const uid = await this.writer.write(tx, record, undefined, change);
        if (isPinned !== undefined) await this.features.pin(locationOf(set), uid, isPinned, tx);
        return uid;
      },
    );
    this.outbox.wake();
    return uid;
  }

  /** @throws AppError `feature_not_found` */
  async get(request: FeatureRequest): Promise<{ feature: Feature; citations: string[] }> {
    const { featureId: uid } = request;
    const scope = await this.projects.scope(request);
    const found = isUuid(uid) ? await this.features.find(scope, uid) : undefined;
    if (!found) throw featureNotFound();
    return found;
  }

  /** Absent = unchanged. @throws AppError `feature_not_found`, `category_not_found`, `forbidden`, `producer_not_allowed` */
  async update(request: UpdateFeatureRequest): Promise<void> {
    const { category, tag, name, value, metadata, validity = {}, isPinned, isSingleValued } = request;
    const find = (): Promise<{ feature: Feature }> => this.get(request);
    await this.write(updateFeature.subject, request, find, async (tx, { feature }) => {
      const scope = await this.projects.scope(request, tx);
      const set = await this.sets.get(scope, feature.setId, tx);
      if (category !== undefined) await this.categories.keep(set, [category], tx);
      await this.features.lockSets([feature.setUid], tx);
      const [stored] = await this.features.recordsOf(scope, [feature.uid], tx);
      if (!stored) throw featureNotFound();
      const before = { ...stored, isPinned: isPinned ?? stored.isPinned };
      requireChange(scope, before);
      requireOwnFact(before, set);
      if (isPinned !== undefined) {
        await this.features.pin(before, before.uid, isPinned, tx);
        if (saysNothingElse(request)) return before.uid;
      }
      if (category !== undefined) await this.categories.refuseUnavailable(set, category, tx);
      const change = byClient();
      // a client that words a feature again vouches for it
      const voucher = rewords(request)
        ? { byClient: true, isTrusted: true, origin: featureOrigin(change) }
        : {};
      const moment = now();
      const isSaid = value === undefined || value === before.value;
      const dates = statementsOf(validity, []);
      const said = value === before.value ? saidAgain(before, moment) : before;
      const after: FeatureRecord = {
        ...before,
        category: category ?? before.category,
        tag: tag ?? before.tag,
        name: name ?? before.name,
        value: value ?? before.value,
        metadata: metadata ?? before.metadata,
        ...voucher,
        isSingleValued: isSingleValued ?? before.isSingleValued,
        contradicts: isSaid ? before.contradicts : undefined,
        dates: allDates(isSaid ? said.dates : [], dates),
        recordedAt: isSaid ? said.recordedAt : moment,
      };
      requireOwnFact(after, set);
      refuseNegative(after);
      const until = sinceThen(validity.validFrom, [], moment);
      const replaced = isSaid ? [] : [{ record: former(before, { until, citations: [] }) }];
      const replacedBefore = await this.endingWith(before, after, tx);
      const writes = [{ record: after, before }, ...replaced, ...replacedBefore];
      const [uid = after.uid] = await this.writer.writeAll(tx, { writes, origin: asOneChange(change) });
      return uid;
    });
    this.outbox.wake();
  }

  /** Deletes what it finds, with all that was known of it. @throws AppError `project_not_found`, `forbidden`, `producer_not_allowed` */
  async remove(request: RemoveFeaturesRequest): Promise<RemovedEpisodes> {
    const asked = [...new Set(request.featureIds)];
    const open = (): Promise<OpenProject> => this.projects.get(request.tenant);
    const removed = await this.write(removeFeatures.subject, request, open, async (tx, project) => {
      await this.projects.keepOpen(project, tx);
      const scope = scopeOf(project, request.organization);
      const facts = await this.features.factsOf(scope, asked.filter(isUuid), tx);
      for (const fact of facts) requireChange(scope, fact);
      await this.requireOwn(scope, facts, tx);
      await this.writer.erase(tx, facts);
      const deleted = new Set(facts.map(({ uid }) => uid));
      const wasDeleted = (uid: string): boolean => deleted.has(uid.toLowerCase());
      return { deleted: asked.filter(wasDeleted), notFound: asked.filter((uid) => !wasDeleted(uid)) };
    });
    this.outbox.wake();
    return removed;
  }

  /** What a feature replaced ends when the feature begins, also when that is another moment now. */
  private async endingWith(
    before: FeatureRecord,
    after: FeatureRecord,
    tx: Transaction,
  ): Promise<FeatureWrite[]> {
    const [from, until] = [before, after].map(({ dates }) => validityOf(dates).validFrom);
    if (!until || until.at === from?.at) return [];
    const replaced = await this.features.endedBy(before, [before.uid], tx);
    const isSaid = before.value === after.value;
    const endsOtherwise = ({ dates }: FeatureRecord): boolean => {
      const { validUntil } = validityOf(dates);
      return validUntil !== undefined && (validUntil.at > until.at || (isSaid && validUntil.at === from?.at));
    };
    return replaced.filter(endsOtherwise).map((record) => ({
      record: ended(record, { until, citations: [], supersededBy: before.uid }),
      before: record,
    }));
  }

  /** The sets are looked up for a key that is bound to a producer alone: any other deletes what it likes. */
  private async requireOwn(scope: Scope, facts: readonly FeatureFact[], tx: Transaction): Promise<void> {
    if (boundProducer() === undefined) return;
    const sets = new Map<string, MemorySet>();
    for (const fact of facts) {
      const set = sets.get(fact.setUid) ?? (await this.sets.byUid(scope, fact.setUid, tx));
      sets.set(fact.setUid, set);
      requireOwnFact(fact, set);
    }
  }

  private async prepare(request: AddFeatureRequest): Promise<PreparedFeature> {
    const { tenant, organization, setId, category, citations } = request;
    const project = await this.projects.ensureOpen(tenant);
    const set = await this.sets.ensure(project, organization, setId);
    await this.categories.refuseUnavailable(set, category);
    return { project, set, citations: await this.episodes.describe(project, citations) };
  }

  private write<Prepared, Result>(
    operation: string,
    { tenant, idempotency }: Pick<AddFeatureRequest, 'tenant' | 'idempotency'>,
    prepare: () => Promise<Prepared>,
    work: (tx: Transaction, prepared: Prepared) => Promise<Result>,
  ): Promise<Result> {
    const scope = { tenant: tenantName(tenant), operation };
    return this.idempotency.runPrepared(scope, idempotency, prepare, work);
  }
}

interface PreparedFeature {
  readonly project: OpenProject;
  readonly set: MemorySet;
  readonly citations: readonly Citation[];
}

export const featureNotFound = (): Error =>
  notFound('feature_not_found', 'This feature does not exist; list or search features for their ids.');

/**
 * Whether it says something of what the feature says. When that holds, and whether it can be said of one value alone, is said
 * beside it, as a pin is: what messages said stays theirs, and goes with them.
 */
const rewords = ({ category, tag, name, value, metadata }: UpdateFeatureRequest): boolean =>
  [category, tag, name, value, metadata].some((part) => part !== undefined);

/** A pin alone changes nothing else. */
const saysNothingElse = (request: UpdateFeatureRequest): boolean =>
  !rewords(request) &&
  [request.isSingleValued, request.validity?.validFrom, request.validity?.validUntil].every(
    (part) => part === undefined,
  );

const now = (): Instant => instantFromDate(new Date());

/** @throws AppError `invalid_request` when it would end before it begins */
function refuseNegative({ dates }: FeatureRecord): void {
  const { validFrom, validUntil } = validityOf(dates);
  if (!validFrom || !validUntil || validFrom.at < validUntil.at) return;
  const msg = 'The feature would end before it begins; give both moments, valid_from before valid_until';
  throw invalid('invalid_request', [{ loc: ['body', 'valid_until'], msg, type: 'value_error' }]);
}

/** The subject may be the user whose set it is, whose id came with a message. */
function requireIndexable(subject: string | undefined): void {
  if (subject === undefined || isIndexable(subject)) return;
  const msg = `The id of its subject should have at most ${MAX_NAME_BYTES} bytes in UTF-8; name another one`;
  throw invalid('invalid_request', [{ loc: ['body', 'subject'], msg, type: 'string_too_long' }]);
}
