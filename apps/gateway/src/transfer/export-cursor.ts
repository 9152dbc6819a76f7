import { type RowPosition } from '@loci/contracts';
import { parsed, Unreadable } from '@loci/platform/schema';
import { readRowPosition } from '../wire/row-position.js';

/** The kinds of lines between the first one and the last one, in the order in which they are written. */
export const LINE_KINDS = ['set_type', 'category_template', 'set', 'category', 'episode', 'feature'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** A position in an export: behind this line. */
export interface ExportPosition extends RowPosition {
  readonly kind: LineKind;
}

/** Where an export goes on behind a line: opaque for clients. */
export const cursorBehind = (kind: LineKind, { createdAt, uid }: RowPosition): string =>
  Buffer.from(JSON.stringify([kind, createdAt, uid])).toString('base64url');

/** The position that a cursor stands for. */
export const exportCursor = parsed<ExportPosition>(
  {
    type: 'string',
    maxLength: 200,
    description: 'The `cursor` of the last line that arrived. Absent: the export begins with its first line.',
  },
  (value) => (typeof value === 'string' ? parse(value) : NO_CURSOR),
);

const NO_CURSOR = Unreadable.as({
  type: 'cursor',
  msg: 'Input should be the cursor of a line of an export of this project',
});

function parse(cursor: string): ExportPosition | Unreadable {
  try {
    const [kind, createdAt, uid, ...rest] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    ) as unknown[];
    const position = readRowPosition(createdAt, uid);
    return isLineKind(kind) && position && rest.length === 0 ? { kind, ...position } : NO_CURSOR;
  } catch {
    return NO_CURSOR;
  }
}

const isLineKind = (value: unknown): value is LineKind => LINE_KINDS.some((kind) => kind === value);
