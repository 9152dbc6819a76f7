import {
  type FeatureState as SharedState,
  type IngestionPreview,
  type PreviewedChange,
  previewIngestion,
  type PreviewIngestionRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { trustOf } from '../../features/feature-origins.js';
import { type NewHistoryEntry } from '../../features/feature-history.js';
import { type FeatureState } from '../../features/feature.js';
import { validityOf } from '../../features/validity.js';
import { keptTexts } from '../model-calls/kept-texts.js';
import { PreviewService } from './preview.service.js';

@Controller()
export class PreviewController {
  constructor(private readonly previews: PreviewService) {}

  @Handle(previewIngestion)
  async preview(request: PreviewIngestionRequest): Promise<IngestionPreview> {
    const { model, failure, prompt, reply, commands, refused, history, spent } =
      await this.previews.preview(request);
    return {
      model,
      ...failure,
      ...keptTexts(prompt, reply),
      commands: [
        ...commands.map(({ feature, ...command }) => ({ ...command, name: feature })),
        ...refused.map(({ feature, reason, ...command }) => ({
          ...command,
          name: feature,
          messages: [],
          refused: reason,
        })),
      ],
      changes: history.map(toChange),
      ...spent,
    };
  }
}

function toChange({ featureUid, before, after }: NewHistoryEntry): PreviewedChange {
  const action = before ? (after ? 'update' : 'remove') : 'add';
  return {
    action,
    featureId: before && featureUid,
    before: before && toState(before),
    after: after && toState(after),
  };
}

const toState = ({ citations, ...state }: FeatureState): SharedState => ({
  subject: state.subject,
  category: state.category,
  tag: state.tag,
  name: state.name,
  value: state.value,
  metadata: state.metadata,
  trust: trustOf(state),
  validity: validityOf(state.dates),
  citations: citations.map(({ episodeUid }) => episodeUid),
});
