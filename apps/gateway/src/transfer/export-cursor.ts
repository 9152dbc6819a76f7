import { INSTANT, type Instant } from '@loci/contracts';
import { parsed, Unreadable } from '@loci/platform/schema';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The kinds of lines between the first one and the last one, in the order in which they are written. */
export const LINE_KINDS = ['set_type', 'category_template', 'set', 'category', 'episode', 'feature'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** A position in the sequence of the lines of one kind. */
export interface LinePosition {
  readonly createdAt: Instant;
  readonly uid: string;
}

/** A position in an export: behind this line. */
export interface ExportPosition extends LinePosition {
  readonly kind: LineKind;
}

/** Where an export goes on behind a line: opaque for clients. */
export const cursorBehind = (kind: LineKind, { createdAt, uid }: LinePosition): string =>
  Buffer.from(JSON.stringify([kind, createdAt, uid])).toString('base64url');

/** The position that a cursor stands for. */
export const exportCursor = parsed<ExportPosition>(
  { type: 'string', maxLength: 200, description: 'The `cursor` of the last line that arrived.' },
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
    const isValid = isLineKind(kind) && isInstant(createdAt) && isUuid(uid) && rest.length === 0;
    return isValid ? { kind, createdAt, uid } : NO_CURSOR;
  } catch {
    return NO_CURSOR;
  }
}

const isLineKind = (value: unknown): value is LineKind => LINE_KINDS.some((kind) => kind === value);

const isInstant = (value: unknown): value is Instant =>
  typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value));

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);
