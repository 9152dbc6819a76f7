import { MEMORY_TYPES, type MemoryType, type RowPosition } from '@loci/contracts';
import { parsed, Unreadable } from '@loci/platform/schema';
import { readRowPosition } from '../wire/row-position.js';

/** Where a list goes on, by kind: absent = at the beginning. */
export type ListCursor = { readonly [Kind in MemoryType]?: RowPosition | 'ended' | undefined };

/** Opaque for clients. @returns undefined when nothing is left */
export const writeListCursor = (cursor: ListCursor): string | undefined =>
  Object.values(cursor).every((position) => position === 'ended')
    ? undefined
    : Buffer.from(JSON.stringify(MEMORY_TYPES.map((kind) => written(cursor[kind])))).toString('base64url');

const written = (position: RowPosition | 'ended' | undefined): unknown =>
  typeof position === 'object' ? [position.createdAt, position.uid] : (position ?? null);

const NO_CURSOR = Unreadable.as({
  type: 'cursor',
  msg: 'Input should be empty, or the header x-next-cursor of a page of this list',
});

/** What a cursor stands for; an empty one for the beginning. */
export const listCursor = parsed<ListCursor>(
  {
    type: 'string',
    maxLength: 300,
    description:
      'Instead of `page_num`: empty, then the `x-next-cursor` of the page before. A page ends where the answer would be too large.',
  },
  (value) => (typeof value === 'string' ? parse(value) : NO_CURSOR),
);

function parse(cursor: string): ListCursor | Unreadable {
  if (cursor === '') return {};
  try {
    const kinds = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const [episodic, semantic] = kinds.map(position);
    return kinds.length === MEMORY_TYPES.length ? { episodic, semantic } : NO_CURSOR;
  } catch {
    return NO_CURSOR;
  }
}

/** @throws TypeError for what is none */
function position(value: unknown): RowPosition | 'ended' | undefined {
  if (value === null) return undefined;
  if (value === 'ended') return value;
  const [createdAt, uid] = value as unknown[];
  const read = readRowPosition(createdAt, uid);
  if (!read) throw new TypeError('no position');
  return read;
}
