import { type EncodedText, encodeDocumentInParts, PART_CHARACTERS, type SparseVector } from '@loci/models';
import { RememberedRevisions } from '@loci/persistence';
import { createHash } from 'node:crypto';
import { setImmediate as others } from 'node:timers/promises';

/** Of all that is remembered: the words of a hundred of the longest messages, or of fifty thousand short ones. */
const REMEMBERED_BYTES = 32_000_000;

/** A term and its weight. */
const TERM_BYTES = 16;

/** What a text takes beside its terms. */
const TEXT_BYTES = 300;

/** Bytes of a digest that make a number. */
const DIGEST_BYTES = 6;

/**
 * The words of what waits for its vector. One search after the other reads the same texts, and those of one project can take
 * a second to count: each is counted once, and other requests have their turn meanwhile.
 */
export class EncodedItems {
  /** As revisions, digests of the texts. */
  private readonly remembered = new RememberedRevisions<SparseVector>(REMEMBERED_BYTES, bytesOf);
  /** Counted since others had their turn; of a long text, each part alone fills it. */
  private characters = 0;

  async of(texts: readonly { readonly id: string; readonly text: string }[]): Promise<EncodedText[]> {
    const encoded: EncodedText[] = [];
    for (const { id, text } of texts) {
      const revision = digestOf(text);
      const count = async () => ({ revision, value: await this.count(text) });
      encoded.push({ id, words: await this.remembered.find(id, revision, count) });
    }
    return encoded;
  }

  private async count(text: string): Promise<SparseVector> {
    const parts = encodeDocumentInParts(text);
    this.characters += Math.min(text.length, PART_CHARACTERS);
    for (let part = parts.next(); ; part = parts.next()) {
      if (part.done) return part.value;
      if (this.characters < PART_CHARACTERS) continue;
      await others();
      this.characters = text.length > PART_CHARACTERS ? PART_CHARACTERS : 0;
    }
  }
}

const digestOf = (text: string): number =>
  createHash('sha256').update(text).digest().readUIntBE(0, DIGEST_BYTES);

const bytesOf = ({ indices }: SparseVector): number => TEXT_BYTES + TERM_BYTES * indices.length;
