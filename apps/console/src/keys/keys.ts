import { queryOptions } from '@tanstack/react-query';
import { withHeaders } from '@loci/client';
import { api, totalOf } from '../api/loci.js';

/** The API keys within the bounds of the caller, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => {
    const params = { query: { page_size: 1000 } };
    const { data, headers } = await withHeaders(api.GET('/api/v2/keys', { params, signal }));
    return { rows: data, total: totalOf(headers, data) };
  },
});
