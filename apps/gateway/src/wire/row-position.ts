import { INSTANT, instantFromIso, type RowPosition } from '@loci/contracts';

/** As the services take it: of any version that there is. */
const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** The position that these two values name, if they name one. */
export function readRowPosition(createdAt: unknown, uid: unknown): RowPosition | undefined {
  if (typeof createdAt !== 'string' || !INSTANT.test(createdAt)) return undefined;
  const instant = instantFromIso(createdAt);
  return instant !== undefined && typeof uid === 'string' && UUID.test(uid)
    ? { createdAt: instant, uid }
    : undefined;
}
