import { type SparseVector, toSparseVector } from './sparse-vector.js';
import { termHash } from './term-hash.js';
import { documentTerms, queryTerms, type Terms } from './terms.js';
import { partsOf } from './words.js';

const K1 = 1.2;
/** In full: with less, the longest of the long answers of an assistant win; on short turns it makes no difference. */
const B = 1;
/** A fixed average: the true one changes with every document, and encoded documents don't. */
const AVERAGE_LENGTH = 256;

/**
 * The document's side of BM25 (Robertson and Zaragoza 2009, §3.5): per term `tf (k1 + 1) / (tf + k1 (1 - b + b
 * length / average))`. Who searches multiplies by the IDF (`TermRarity.weigh`). Stop words are encoded
 * too, for queries that consist of nothing else, but don't count in the length.
 */
export const encodeDocument = (text: string): SparseVector => toDocument(documentTerms(text));

/** As `encodeDocument`, with a step for each part of the text: between two of them a process can do what else it has to do. */
export function* encodeDocumentInParts(text: string): Generator<undefined, SparseVector> {
  const content = new Map<string, number>();
  const stop = new Map<string, number>();
  for (const part of partsOf(text)) {
    const terms = documentTerms(part);
    addCounts(content, terms.content);
    addCounts(stop, terms.stop);
    yield;
  }
  return toDocument({ content, stop });
}

function addCounts(counts: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [term, count] of more) counts.set(term, (counts.get(term) ?? 0) + count);
}

function toDocument({ content, stop }: Terms): SparseVector {
  const length = [...content.values()].reduce((sum, count) => sum + count, 0);
  const saturation = K1 * (1 - B + (B * length) / AVERAGE_LENGTH);
  return toSparseVector(
    [...content, ...stop].map(([term, count]) => [termHash(term), (count * (K1 + 1)) / (count + saturation)]),
  );
}

/** The query's side, before the IDF: 1 per distinct term. Stop words are left out unless there is nothing else. */
export function encodeQuery(text: string): SparseVector {
  const { content, stop } = queryTerms(text);
  const terms = content.size > 0 ? content : stop;
  return toSparseVector([...terms.keys()].map((term) => [termHash(term), 1]));
}
