import { createHash } from 'node:crypto';
import unhomoglyph from 'unhomoglyph';

/** Characters without a glyph: some of them are letters, which names may have. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Skeletons are in an index beside the two names, and may be many times as long as these. */
const MAX_BYTES = 400;

/** What a character is replaced by is in rare cases replaced again. */
const MAX_PASSES = 4;

/**
 * What a name looks like: two names that a reader takes for one have the same skeleton. After NFKC, so that full-width and
 * other forms of a character are one, by the skeleton of UTS 39, section 4, with the confusables of Unicode 13. Upper and
 * lower case stay apart, as in names (api-contract §3), but for those that look alike (`I` and `l`). For comparison only; a long
 * one is told by its digest.
 */
export function nameSkeleton(name: string): string {
  let skeleton = name.normalize('NFKC').normalize('NFD').replace(INVISIBLE, '');
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = unhomoglyph(skeleton).normalize('NFD');
    if (next === skeleton) break;
    skeleton = next;
  }
  return Buffer.byteLength(skeleton) <= MAX_BYTES ? skeleton : sha256(skeleton);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
