import { Features1763700000001 } from './0001-features.js';
import { Ingestion1763700000002 } from './0002-ingestion.js';

/** In the order in which they are applied. */
export const MIGRATIONS = [Features1763700000001, Ingestion1763700000002] as const;
