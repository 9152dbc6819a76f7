import { sharedProduct } from '../harness/shared-product.js';

/** For all tests of this folder, one after the other. */
export const product = sharedProduct({
  env: { HOSTED_TOKENS: 'fuzz-token-0123456789abcdef=globex', LOCI_LOG_LEVEL: 'info' },
});
