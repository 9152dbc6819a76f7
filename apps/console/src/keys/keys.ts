import { queryOptions } from '@tanstack/react-query';
import { answered, api } from '../api/loci.js';

/** The API keys within the bounds of the caller, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) =>
    answered(api.GET('/api/v2/keys', { params: { query: { page_size: 1000 } }, signal })),
});
