import { useQuery } from '@tanstack/react-query';
import { Dialog } from '../ui/dialog.js';
import { Facts } from '../ui/page.js';
import { Failure, Loading } from '../ui/states.js';
import { When } from '../ui/when.js';
import { Deliveries } from './deliveries.js';
import { WebhookActions } from './webhook-actions.js';
import { boundsOf, stateOf, useMayChangeWebhooks, type Webhook, webhookQuery } from './webhooks.js';

interface WebhookDetailsProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** How a webhook does, what was sent to it, and what can be done about it. */
export function WebhookDetails({ id, onClose }: WebhookDetailsProps) {
  const { data, error, refetch } = useQuery(webhookQuery(id));
  const mayChange = useMayChangeWebhooks();
  return (
    <Dialog isOpen onClose={onClose} position="side" title="Webhook">
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Facts entries={factsOf(data)} />
          {mayChange && <WebhookActions webhook={data} onRemoved={onClose} />}
          <Deliveries id={id} />
        </div>
      )}
    </Dialog>
  );
}

function factsOf(webhook: Webhook) {
  const { url, description, types, disabled_reason, last_error } = webhook;
  const texts = [
    ['Address', url],
    ['For', description],
    ['State', stateOf(webhook)],
    ['Given up', disabled_reason],
    ['Where', boundsOf(webhook)],
    ['Events', types?.join(', ') ?? 'all'],
    ['Last failure', last_error],
  ] as const;
  const instants = [
    ['Failing since', webhook.failing_since],
    ['Next try', webhook.next_attempt_at],
    ['Last delivery', webhook.last_delivered_at],
    ['Made', webhook.created_at],
    ['New secret', webhook.rotated_at],
  ] as const;
  return [
    ...texts.flatMap(([name, text]) => (text === null || text === '' ? [] : [[name, text] as const])),
    ...instants.flatMap(([name, at]) => (at === null ? [] : [[name, <When key={name} at={at} />] as const])),
  ];
}
