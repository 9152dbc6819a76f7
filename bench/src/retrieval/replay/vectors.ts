import { type Embedder } from '@loci/models';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

const BATCH = 64;

/** Vectors of texts, kept in a file: texts are embedded once, however often weights are tried on them. */
export class KeptVectors {
  private isChanged = false;

  private constructor(
    private readonly embedder: Embedder,
    private readonly path: string,
    private readonly known: Map<string, Float32Array>,
  ) {}

  /** @param path of the file; one that is missing is made by `save` */
  static async open(embedder: Embedder, path: string): Promise<KeptVectors> {
    return new KeptVectors(embedder, path, await readKept(path, embedder.dimensions));
  }

  /** One vector for each text, in order. */
  async of(texts: readonly string[], inputType: 'query' | 'document'): Promise<Float32Array[]> {
    const keys = texts.map((text) => keyOf(`${this.embedder.fingerprint} ${inputType} ${text}`));
    const missing = [...new Set(keys)].filter((key) => !this.known.has(key));
    const textOf = new Map(keys.map((key, index) => [key, texts[index] ?? '']));
    for (let start = 0; start < missing.length; start += BATCH) {
      const batch = missing.slice(start, start + BATCH);
      const vectors = await this.embedder.embed(
        batch.map((key) => textOf.get(key) ?? ''),
        { inputType },
      );
      vectors.forEach((vector, index) => this.known.set(batch[index] ?? '', vector));
      this.isChanged = true;
    }
    return keys.map((key) => this.known.get(key) ?? new Float32Array());
  }

  async save(): Promise<void> {
    if (!this.isChanged) return;
    const rows = [...this.known].map(([key, vector]) =>
      Buffer.concat([Buffer.from(key, 'hex'), bytesOf(vector)]),
    );
    await writeFile(this.path, Buffer.concat(rows));
  }
}

/** Bytes of a key. */
const KEY = 16;

const keyOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * KEY);

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

async function readKept(path: string, dimensions: number): Promise<Map<string, Float32Array>> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const row = KEY + 4 * dimensions;
  const vectors = new Map<string, Float32Array>();
  for (let start = 0; start + row <= bytes.length; start += row) {
    const key = bytes.toString('hex', start, start + KEY);
    const values = Uint8Array.prototype.slice.call(bytes, start + KEY, start + row);
    vectors.set(key, new Float32Array(values.buffer));
  }
  return vectors;
}
