import { type Metrics } from '@loci/platform';

/** Counts what a service did not create because an organization had used up its quota; by the name of the quota. */
export const quotaRefusals = (metrics: Metrics) =>
  metrics.counter(
    'loci_quota_refusals_total',
    'Creations refused because an organization had used up its quota.',
    ['quota'],
  );
