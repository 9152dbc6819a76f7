import { sharedProduct } from '../harness/shared-product.js';

/** For all tests of this folder, one after the other. */
export const product = sharedProduct();
