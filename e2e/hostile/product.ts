import { sharedProduct } from '../harness/shared-product.js';

/** For all tests of this folder, one after the other. */
export const product = sharedProduct({
  env: { HOSTED_TOKENS: 'fuzz-token=globex', LOCI_LOG_LEVEL: 'info' },
});
