import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { type Wire } from '../api/loci.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Panel } from '../ui/page.js';
import { Pager } from '../ui/pager.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { When } from '../ui/when.js';
import { deliveriesQuery, PAGE_SIZE } from './webhooks.js';

/** What was sent to a webhook, newest first, for as long as events are kept. */
export function Deliveries({ id }: { readonly id: string }) {
  const [page, setPage] = useState(0);
  const { data, error, refetch, isFetching } = useQuery(deliveriesQuery(id, page));
  return (
    <>
      <Panel
        title="Deliveries"
        actions={
          <Button size="small" isBusy={isFetching} onClick={() => void refetch()}>
            <RefreshCw aria-hidden /> Refresh
          </Button>
        }
      >
        {error ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading rows={2} />
        ) : data.deliveries.length === 0 ? (
          <Empty title="Nothing was sent yet">
            <p>Tests are not listed.</p>
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {data.deliveries.map((delivery) => (
              <Delivery key={delivery.event_id} delivery={delivery} />
            ))}
          </ul>
        )}
      </Panel>
      <Pager page={page} pageSize={PAGE_SIZE} total={data?.total} onTurn={setPage} />
    </>
  );
}

const TONES = { delivered: 'good', retrying: 'warn', dropped: 'bad' } as const;

function Delivery({ delivery }: { readonly delivery: Wire['WebhookDelivery'] }) {
  const { status, type, attempts, http_status, duration_ms, error, next_attempt_at } = delivery;
  return (
    <li className="grid gap-1 px-4 py-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={TONES[status]}>{status}</Badge>
        {type}
        <span className="text-xs text-muted">
          <When at={delivery.last_attempt_at} />, {attempts === 1 ? 'one try' : `${attempts} tries`}
          {http_status !== null && `, HTTP ${http_status}`}, {duration_ms.toLocaleString('en')} ms
          {next_attempt_at !== null && (
            <>
              , next try <When at={next_attempt_at} />
            </>
          )}
        </span>
      </p>
      {error !== null && <p className="text-xs text-bad">{error}</p>}
    </li>
  );
}
