import { type Instant } from '@loci/contracts';

/** `2024-05-01T10:00:00+00:00`; microseconds only when there are any. */
export const wireInstant = (instant: Instant): string => instant.replace(/(?:\.0{6})?Z$/, '+00:00');
