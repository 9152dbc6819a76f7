import { afterAll } from '@jest/globals';
import { Loci, type LociOptions } from '@loci/testing';

/** One product for all test files that a suite imports, started by the first that asks. It ends with the suite. */
export function sharedProduct(options?: LociOptions): () => Promise<Loci> {
  let starting: Promise<Loci> | undefined;
  afterAll(async () => (await starting)?.destroy());
  return () => (starting ??= Loci.start(options));
}
