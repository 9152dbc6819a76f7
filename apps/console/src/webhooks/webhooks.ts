import { withHeaders } from '@loci/client';
import { queryOptions } from '@tanstack/react-query';
import { answered, api, totalOf, type Wire } from '../api/loci.js';
import { rightsOf, useSession } from '../session/session.js';

export type Webhook = Wire['Webhook'];

/** Entries on a page of the view. */
export const PAGE_SIZE = 50;

/** The key of everything about webhooks: a change of one is a change of all lists. */
export const WEBHOOKS_KEY = ['webhooks'] as const;

/** The webhooks that the caller may see, oldest first, and how many there are. */
export const webhooksQuery = (page: number) =>
  queryOptions({
    queryKey: [...WEBHOOKS_KEY, 'list', page],
    queryFn: async ({ signal }) => {
      const query = { page_size: PAGE_SIZE, page_num: page };
      const { data, headers } = await withHeaders(api.GET('/api/v2/webhooks', { params: { query }, signal }));
      return { webhooks: data, total: totalOf(headers) };
    },
  });

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...WEBHOOKS_KEY, 'one', id],
    queryFn: ({ signal }) => answered(api.GET('/api/v2/webhooks/{id}', { params: { path: { id } }, signal })),
  });

/** What was sent to a webhook, newest first. */
export const deliveriesQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: [...WEBHOOKS_KEY, 'deliveries', id, page],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { page_size: PAGE_SIZE, page_num: page } };
      const { data, headers } = await withHeaders(
        api.GET('/api/v2/webhooks/{id}/deliveries', { params, signal }),
      );
      return { deliveries: data, total: totalOf(headers) };
    },
  });

/** How a webhook does, in a word. */
export function stateOf({
  enabled,
  disabled_reason,
  attempts,
  last_delivered_at,
}: Webhook): 'ok' | 'nothing delivered yet' | 'failing' | 'given up' | 'disabled' {
  if (disabled_reason !== null) return 'given up';
  if (!enabled) return 'disabled';
  if (attempts > 0) return 'failing';
  return last_delivered_at === null ? 'nothing delivered yet' : 'ok';
}

/** Whose events a webhook gets. */
export const boundsOf = ({ org_id, project_id }: Webhook): string =>
  org_id === null ? 'everywhere' : [org_id, project_id].filter((part) => part !== null).join(' / ');

/** Whether the caller changes webhooks: a key that is bound to a producer only reads them. */
export function useMayChangeWebhooks(): boolean {
  const session = useSession();
  return rightsOf(session).admin && session.producer === null;
}
