import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../ui/badge.js';
import { type Column, DataTable } from '../ui/data-table.js';
import { linkStyle } from '../ui/link-style.js';
import { Page, Panel } from '../ui/page.js';
import { Pager } from '../ui/pager.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { When } from '../ui/when.js';
import { CreateWebhook } from './create-webhook.js';
import { WebhookDetails } from './webhook-details.js';
import {
  boundsOf,
  PAGE_SIZE,
  stateOf,
  useMayChangeWebhooks,
  type Webhook,
  webhooksQuery,
} from './webhooks.js';
import { Said } from '../ui/said.js';

const route = getRouteApi('/webhooks');

const TONES = {
  ok: 'good',
  'nothing delivered yet': 'plain',
  failing: 'warn',
  'given up': 'bad',
  disabled: 'plain',
} as const;

/** How it does, and of one that does not deliver, why. */
function State({ webhook }: { readonly webhook: Webhook }) {
  const state = stateOf(webhook);
  return (
    <>
      <Badge tone={TONES[state]}>{state}</Badge>
      {webhook.last_error !== null && state !== 'ok' && (
        <span className="mt-1 block min-w-40 text-xs text-bad">
          <Said text={webhook.last_error} />
        </span>
      )}
    </>
  );
}

const columnsFor = (onOpen: (id: string) => void): readonly Column<Webhook>[] => [
  {
    name: 'Address',
    className: 'min-w-56',
    by: ({ url }) => url,
    cell: ({ id, url, description }) => (
      <>
        <button
          type="button"
          onClick={() => onOpen(id)}
          className={linkStyle({ look: 'entry', className: 'line-clamp-3 break-all' })}
        >
          <Said text={url} />
        </button>
        {description !== '' && (
          <span className="block text-xs text-muted">
            <Said text={description} />
          </span>
        )}
      </>
    ),
  },
  {
    name: 'State',
    by: stateOf,
    cell: (webhook) => <State webhook={webhook} />,
  },
  { name: 'Where', by: boundsOf, cell: boundsOf },
  { name: 'Events', cell: ({ types }) => types?.join(', ') ?? 'all' },
  {
    name: 'Last delivery',
    by: ({ last_delivered_at: at }) => at ?? '',
    cell: ({ last_delivered_at: at }) => (at === null ? 'never' : <When at={at} />),
  },
];

/** Who is told of events, and how that goes. */
export function WebhooksPage() {
  const [page, setPage] = useState(0);
  const { data, error, refetch } = useQuery(webhooksQuery(page));
  const mayChange = useMayChangeWebhooks();
  const { id } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (opened: string): void => void navigate({ search: { id: opened } });
  return (
    <Page
      title="Webhooks"
      lead="Addresses to which Loci sends events, each signed with the secret of the webhook."
      actions={mayChange && <CreateWebhook />}
    >
      <Panel>
        {error ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading />
        ) : data.webhooks.length === 0 ? (
          <Empty title="No webhook yet">
            <p>A program that cannot keep a stream of events open needs one.</p>
          </Empty>
        ) : (
          <DataTable
            label="Webhooks"
            rows={data.webhooks}
            idOf={(webhook) => webhook.id}
            columns={columnsFor(open)}
          />
        )}
      </Panel>
      <Pager page={page} pageSize={PAGE_SIZE} total={data?.total} onTurn={setPage} />
      {id !== undefined && <WebhookDetails key={id} id={id} onClose={() => void navigate({ search: {} })} />}
    </Page>
  );
}
