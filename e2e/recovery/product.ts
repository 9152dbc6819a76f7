import { sharedProduct } from '../harness/shared-product.js';

/** For all tests of this folder, one after the other. What a killed service was asked is answered 504 soon. */
export const product = sharedProduct({ env: { REQUEST_TIMEOUT_MS: '6000' } });
