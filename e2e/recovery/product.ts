import { sharedProduct } from '../harness/shared-product.js';

/**
 * For all tests of this folder, one after the other. What a killed service was asked is answered 504 soon, and searches
 * leave to the worker what they cannot index soon, as by default.
 */
export const product = sharedProduct({ env: { REQUEST_TIMEOUT_MS: '6000', SEARCH_INDEX_BUDGET_MS: '500' } });
