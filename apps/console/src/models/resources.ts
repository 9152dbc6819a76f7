import { queryOptions } from '@tanstack/react-query';
import { answered, api, type Wire } from '../api/loci.js';
import { type Kind } from './providers.js';

const KEY = ['resources'];

/** Every model with its state. Who reads it is in the audit: it is not asked for again and again. */
export const resourcesQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => answered(api.GET('/api/v2/config/resources', { signal })),
});

const POLL_MS = 1000;

/** A model with its settings. One that failed is tried again by itself, now and then: the end of that is waited for. */
export const resourceQuery = (kind: Kind, name: string) =>
  queryOptions({
    queryKey: [...KEY, kind, name],
    queryFn: ({ signal }) =>
      answered(
        api.GET('/api/v2/config/resources/{kind}/{name}', { params: { path: { kind, name } }, signal }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? POLL_MS : false),
  });

const LONGEST_PROBE = 60;

/**
 * Waits for the probe of a model.
 * @returns its state when the probe has ended, or the last one seen after a minute
 */
export async function watchProbe(
  kind: Kind,
  name: string,
  first: Wire['ResourceOutcome'],
): Promise<Pick<Wire['ResourceOutcome'], 'status' | 'error'>> {
  let latest: Pick<Wire['ResourceOutcome'], 'status' | 'error'> = first;
  for (let asked = 0; latest.status === 'pending' && asked < LONGEST_PROBE; asked += 1) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    latest = await answered(
      api.GET('/api/v2/config/resources/{kind}/{name}', { params: { path: { kind, name } } }),
    );
  }
  return latest;
}
