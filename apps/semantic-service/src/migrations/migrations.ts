import { Features1763700000001 } from './0001-features.js';

/** In the order in which they are applied. */
export const MIGRATIONS = [Features1763700000001] as const;
