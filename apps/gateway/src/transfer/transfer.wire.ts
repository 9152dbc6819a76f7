import { optional } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { request } from '../wire/schema/request.js';
import { NamedProjectBody } from '../wire/tenant.wire.js';
import { asOfInQuery } from '../wire/validity.wire.js';
import { exportCursor } from './export-cursor.js';

export class ImportQuery extends request('ImportQuery', {
  ...NamedProjectBody.schema.properties,
}) {}

export class ExportQuery extends request('ExportQuery', {
  ...NamedProjectBody.schema.properties,
  after: optional(exportCursor),
  as_of: asOfInQuery,
}) {}

export const importAnswer = Type.Object(
  {
    lines: Type.Integer({ minimum: 0, description: 'Lines that were taken.' }),
    added: Type.Integer({
      minimum: 0,
      description: 'Lines whose content was not there yet, or not completely.',
    }),
    existing: Type.Integer({ minimum: 0, description: 'Lines whose content was there already.' }),
    skipped: Type.Integer({
      minimum: 0,
      description:
        'Lines that were left out: of a kind that this version does not know, or features that no client wrote and whose messages are not there; and configured sets of which a model does not exist here: it is left out, and what else they say is added.',
    }),
    dates_left_out: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Features that were added without their beginning: by what their messages say they ended before it. Absent where there are none.',
      }),
    ),
  },
  { title: 'ImportResult' },
);
export type ImportAnswer = Static<typeof importAnswer>;
