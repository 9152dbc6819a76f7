import {
  addFeature,
  type AddFeatureRequest,
  type Done,
  type Feature,
  type FeatureHistory,
  type FeatureHistoryRequest,
  type FeatureIdentity,
  type FeatureState as SharedState,
  getFeature,
  getFeatureHistory,
  type GetFeatureRequest,
  listSetChanges,
  type ListSetChangesRequest,
  type RemovedEpisodes,
  removeFeatures,
  type RemoveFeaturesRequest,
  type SetChangeList,
  undoChanges,
  type UndoChangesRequest,
  undoFeature,
  type UndoFeatureRequest,
  updateFeature,
  type UpdateFeatureRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { costOfExportPage, costOfPage } from '@loci/platform';
import { Controller } from '@nestjs/common';
import { trustOf } from '../features/feature-origins.js';
import { type ListedState } from '../features/feature-history.js';
import { validityOf } from '../features/validity.js';
import { toShared } from '../search/search.service.js';
import { EditingService } from './editing.service.js';
import { HistoryService } from './history.service.js';

/** Of a feature that may have 5,000 citations, in usual searches. */
const COST_OF_CITATIONS = 2;

@Controller()
export class EditingController {
  constructor(
    private readonly editing: EditingService,
    private readonly history: HistoryService,
  ) {}

  @Handle(addFeature)
  async add(request: AddFeatureRequest): Promise<FeatureIdentity> {
    return { featureId: await this.editing.add(request) };
  }

  @Handle(getFeature, { inTurn: ({ loadCitations }) => (loadCitations ? COST_OF_CITATIONS : 1) })
  async get(request: GetFeatureRequest): Promise<Feature> {
    const { feature, citations } = await this.editing.get(request);
    return { ...toShared(feature), ...(request.loadCitations && { citations }) };
  }

  @Handle(updateFeature)
  async update(request: UpdateFeatureRequest): Promise<Done> {
    await this.editing.update(request);
    return {};
  }

  @Handle(removeFeatures, { inTurn: true })
  remove(request: RemoveFeaturesRequest): Promise<RemovedEpisodes> {
    return this.editing.remove(request);
  }

  @Handle(getFeatureHistory, { inTurn: costOfExportPage })
  async listHistory(request: FeatureHistoryRequest): Promise<FeatureHistory> {
    const { entries, next } = await this.history.list(request);
    return {
      next,
      changes: entries.map(({ uid, action, origin: { kind, changeUid, ...origin }, at, before, after }) => ({
        changeId: changeUid ?? uid,
        origin: kind,
        ...origin,
        action,
        at,
        before: before && toState(before),
        after: after && toState(after),
      })),
    };
  }

  @Handle(undoFeature, { inTurn: costOfExportPage })
  async undo(request: UndoFeatureRequest): Promise<Done> {
    await this.history.undo(request);
    return {};
  }

  @Handle(listSetChanges, { inTurn: costOfPage })
  async listChanges(request: ListSetChangesRequest): Promise<SetChangeList> {
    const { changes, total } = await this.history.changes(request);
    return {
      changes: changes.map(({ uid, features, ...change }) => ({
        changeId: uid,
        ...change,
        features: features.map(({ featureUid, action }) => ({ featureId: featureUid, action })),
      })),
      total,
    };
  }

  @Handle(undoChanges, { inTurn: costOfExportPage })
  async undoAll(request: UndoChangesRequest): Promise<Done> {
    await this.history.undoChanges(request);
    return {};
  }
}

const toState = ({
  subject,
  category,
  tag,
  name,
  value,
  metadata,
  citations,
  ...state
}: ListedState): SharedState => ({
  subject,
  category,
  tag,
  name,
  value,
  metadata,
  trust: trustOf(state),
  validity: validityOf(state.dates),
  citations,
});
