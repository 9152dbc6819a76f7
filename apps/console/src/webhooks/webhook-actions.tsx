import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../api/loci.js';
import { SecretOnce } from '../keys/secret-once.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { Check } from '../ui/field.js';
import { Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { type Webhook, WEBHOOKS_KEY } from './webhooks.js';

interface WebhookActionsProps {
  readonly webhook: Webhook;
  readonly onRemoved: () => void;
}

/** What an administrator does with a webhook. */
export function WebhookActions({ webhook: { id, url, enabled }, onRemoved }: WebhookActionsProps) {
  const [skipsPending, setSkipsPending] = useState(false);
  const client = useQueryClient();
  const params = { path: { id } };
  const onSuccess = () => client.invalidateQueries({ queryKey: WEBHOOKS_KEY });
  const testing = useMutation({
    mutationFn: () => answered(api.POST('/api/v2/webhooks/{id}/test', { params })),
  });
  const switching = useMutation({
    mutationFn: () => {
      const body = { enabled: !enabled, skip_pending: !enabled && skipsPending };
      return answered(api.PUT('/api/v2/webhooks/{id}', { params, body }));
    },
    onSuccess,
  });
  const rotating = useMutation({
    mutationFn: () => answered(api.POST('/api/v2/webhooks/{id}/rotate', { params, body: {} })),
    onSuccess,
  });
  const removing = useMutation({
    mutationFn: () => answered(api.DELETE('/api/v2/webhooks/{id}', { params })),
    onSuccess: async () => {
      say('The webhook is deleted.');
      onRemoved();
      await client.invalidateQueries({ queryKey: [...WEBHOOKS_KEY, 'list'] });
    },
  });
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button isBusy={testing.isPending} onClick={() => testing.mutate()}>
          Send a test
        </Button>
        <Button isBusy={switching.isPending} onClick={() => switching.mutate()}>
          {enabled ? 'Disable' : 'Enable'}
        </Button>
        <Button isBusy={rotating.isPending} onClick={() => rotating.mutate()}>
          Make a new secret
        </Button>
        <Confirm
          action="Delete"
          consequence="The address is told of nothing any more, and what was not delivered is gone."
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate()}
        />
      </div>
      {!enabled && (
        <Check
          label="Leave out what was not delivered"
          hint="Else it goes on where it stopped, for as long as events are kept."
          checked={skipsPending}
          onCheck={setSkipsPending}
        />
      )}
      {testing.data && <TestOutcome outcome={testing.data} />}
      {rotating.data && (
        <>
          <SecretOnce issued={{ name: url, secret: rotating.data.secret }} />
          <p className="text-xs text-muted">For a day deliveries are signed with the former secret, too.</p>
        </>
      )}
      <Refused error={testing.error ?? switching.error ?? rotating.error ?? removing.error} />
    </div>
  );
}

interface TestOutcomeProps {
  readonly outcome: {
    readonly delivered: boolean;
    readonly http_status: number | null;
    readonly error: string | null;
    readonly duration_ms: number;
  };
}

function TestOutcome({ outcome: { delivered, http_status, error, duration_ms } }: TestOutcomeProps) {
  const how = [http_status === null ? '' : `HTTP ${http_status}`, `${duration_ms.toLocaleString('en')} ms`];
  return (
    <p role="status" className={`text-sm ${delivered ? 'text-good' : 'text-bad'}`}>
      {delivered ? 'The test was delivered' : 'The test was not delivered'} (
      {how.filter((part) => part !== '').join(', ')}){error === null ? '.' : `: ${error}`}
    </p>
  );
}
