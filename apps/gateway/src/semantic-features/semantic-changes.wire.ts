import {
  CHANGE_ACTIONS,
  CHANGE_ORIGINS,
  MAX_CHANGES_PER_PAGE,
  MAX_CHANGES_PER_UNDO,
  type SetChange,
} from '@loci/contracts';
import { byDefault, integer, listOf, text } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { authorAnswer, fromAuthor } from '../wire/author.wire.js';
import { instantText, nullable } from '../wire/answers.js';
import { wireInstant } from '../wire/instant.wire.js';
import { request } from '../wire/schema/request.js';
import { TenantBody } from '../wire/tenant.wire.js';

const INT32_MAX = 2 ** 31 - 1;

export class ListChangesBody extends request('ListChangesSpec', {
  ...TenantBody.schema.properties,
  set_id: setId,
  page_size: byDefault(integer({ min: 1, max: MAX_CHANGES_PER_PAGE }), 20),

  /** Zero-based. */
  page_num: byDefault(integer({ min: 0, max: INT32_MAX }), 0),
}) {}

export class UndoChangesBody extends request('UndoChangesSpec', {
  ...TenantBody.schema.properties,
  set_id: setId,
  change_ids: listOf(text('MAX_LABEL_CHARS'), { min: 1, max: MAX_CHANGES_PER_UNDO }),
}) {}

const changedFeature = Type.Object(
  { feature_id: Type.String(), action: Type.Enum([...CHANGE_ACTIONS]) },
  { title: 'ChangedFeature' },
);

const setChange = Type.Object(
  {
    change_id: Type.String(),
    origin: Type.Enum([...CHANGE_ORIGINS]),
    job_id: nullable(Type.String()),
    model: nullable(Type.String()),
    author: nullable(authorAnswer),
    at: instantText,
    features: Type.Array(changedFeature, { description: 'What was changed, in the order of changing.' }),
  },
  { title: 'SetChange', description: 'All that was changed at once in a set.' },
);

export const setChangesAnswer = Type.Object({ changes: Type.Array(setChange) }, { title: 'SetChanges' });
export type SetChangesAnswer = Static<typeof setChangesAnswer>;

export const fromSetChange = (change: SetChange): SetChangesAnswer['changes'][number] => ({
  change_id: change.changeId,
  origin: change.origin,
  job_id: change.jobId ?? null,
  model: change.model ?? null,
  author: change.author ? fromAuthor(change.author) : null,
  at: wireInstant(change.at),
  features: change.features.map(({ featureId, action }) => ({ feature_id: featureId, action })),
});
