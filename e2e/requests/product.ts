import { sharedProduct } from '../harness/shared-product.js';

/** For all tests of this folder, each file in an organization of its own: projects of one share sets. */
export const product = sharedProduct({
  env: { HOSTED_TOKENS: 'org-token-0123456789abcdef=globex,project-token-0123456789abcdef=globex/apollo' },
});
