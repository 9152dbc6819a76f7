import { type Static, Type } from 'typebox';
import { Wire } from '../wire/reading/shapes.js';
import { NamedProjectBody } from '../wire/tenant.wire.js';
import { exportCursor, type ExportPosition } from './export-cursor.js';

export class ImportQuery extends NamedProjectBody {}

export class ExportQuery extends NamedProjectBody {
  @Wire(exportCursor, { optional: true })
  readonly after?: ExportPosition | undefined;
}

export const importAnswer = Type.Object(
  {
    lines: Type.Integer({ minimum: 0, description: 'Lines that were taken.' }),
    added: Type.Integer({
      minimum: 0,
      description: 'Lines whose content was not there yet, or not completely.',
    }),
    existing: Type.Integer({ minimum: 0, description: 'Lines whose content was there already.' }),
    skipped: Type.Integer({ minimum: 0, description: 'Lines of a kind that this version does not know.' }),
  },
  { title: 'ImportResult' },
);
export type ImportAnswer = Static<typeof importAnswer>;
