import { sharedProduct } from '../harness/shared-product.js';

/** For all tests of this folder, each in projects of its own. */
export const product = sharedProduct({
  env: { HOSTED_TOKENS: 'org-token=globex,project-token=globex/apollo' },
});
