import { INSTANT, type Instant } from '@loci/contracts';
import { type Place, reader, type Refused } from '../wire/reading/place.js';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The kinds of lines between the first one and the last one, in the order in which they are written. */
export const LINE_KINDS = ['set_type', 'category_template', 'set', 'category', 'episode', 'feature'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** A place in the order of the lines of one kind. */
export interface LinePosition {
  readonly createdAt: Instant;
  readonly uid: string;
}

/** A place in an export: behind this line. */
export interface ExportPosition extends LinePosition {
  readonly kind: LineKind;
}

/** Where an export goes on behind a line: opaque for clients. */
export const cursorBehind = (kind: LineKind, { createdAt, uid }: LinePosition): string =>
  Buffer.from(JSON.stringify([kind, createdAt, uid])).toString('base64url');

/** The place that a cursor stands for. */
export const exportCursor = reader(
  () => ({ type: 'string', maxLength: 200, description: 'The `cursor` of the last line that arrived.' }),
  (value, place): ExportPosition | Refused =>
    typeof value === 'string' ? parse(value, place) : refuse(place),
);

function parse(cursor: string, place: Place): ExportPosition | Refused {
  try {
    const [kind, createdAt, uid, ...rest] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    ) as unknown[];
    const isValid = isLineKind(kind) && isInstant(createdAt) && isUuid(uid) && rest.length === 0;
    return isValid ? { kind, createdAt, uid } : refuse(place);
  } catch {
    return refuse(place);
  }
}

const isLineKind = (value: unknown): value is LineKind => LINE_KINDS.some((kind) => kind === value);

const isInstant = (value: unknown): value is Instant =>
  typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value));

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

const refuse = (place: Place): Refused =>
  place.refuse('cursor', 'Input should be the cursor of a line of an export of this project');
