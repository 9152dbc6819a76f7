import { queryOptions } from '@tanstack/react-query';
import { loci } from './loci.js';

/** Whether Loci is reached, and well, as of now. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => loci.health({ signal }),
  staleTime: 0,
  retry: false,
  meta: { isOfNow: true },
});
