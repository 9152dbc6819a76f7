import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { hasCode } from '../api/failures.js';
import { answered, api, type Wire } from '../api/loci.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { Dialog } from '../ui/dialog.js';
import { Check } from '../ui/field.js';
import { Facts } from '../ui/page.js';
import { Failure, Loading, Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { When } from '../ui/when.js';
import { ProbeOutcome, Status } from './probe-outcome.js';
import { type Kind } from './providers.js';
import { resourceQuery, resourcesQuery, watchProbe } from './resources.js';
import { UsedBy } from './used-by.js';
import { Said } from '../ui/said.js';

interface ModelDetailsProps {
  readonly kind: Kind;
  readonly name: string;
  readonly onClose: () => void;
}

/** A model: its settings without secrets, who uses it, and what became of it. */
export function ModelDetails({ kind, name, onClose }: ModelDetailsProps) {
  const { data, error, refetch } = useQuery(resourceQuery(kind, name));
  return (
    <Dialog isOpen onClose={onClose} title={name} position="side">
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : (
        <div className="grid gap-5">
          <Facts
            entries={[
              ['Provider', data.provider],
              ['State', <Status key="status" status={data.status} />],
              ['Used by', <UsedBy key="users" model={data} />],
              ...Object.entries(data.config).map(([key, value]) => [key, shown(value)] as const),
            ]}
          />
          <Actions kind={kind} name={name} model={data} onRemoved={onClose} />
          <section className="grid gap-2">
            <h3 className="text-sm font-semibold">What became of it</h3>
            <ol className="grid gap-1.5 text-sm">
              {data.transitions.map(({ at, to, reason }) => (
                <li key={at} className="flex flex-wrap gap-x-3">
                  <span className="text-muted">
                    <When at={at} isExact />
                  </span>
                  <span>{to}</span>
                  <span className="min-w-0 text-muted">
                    <Said text={reason} />
                  </span>
                </li>
              ))}
            </ol>
          </section>
        </div>
      )}
    </Dialog>
  );
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

interface ActionsProps {
  readonly kind: Kind;
  readonly name: string;
  readonly model: Wire['ResourceDetails'];
  readonly onRemoved: () => void;
}

function Actions({ kind, name, model, onRemoved }: ActionsProps) {
  const [isForced, setForced] = useState(false);
  const client = useQueryClient();
  const path = { kind, name };
  const retrying = useMutation({
    mutationFn: async () =>
      watchProbe(
        kind,
        name,
        await answered(api.POST('/api/v2/config/resources/{kind}/{name}/retry', { params: { path } })),
      ),
    onSettled: () => client.invalidateQueries(resourcesQuery),
  });
  const removing = useMutation({
    mutationFn: () => {
      const query = isForced ? { force: true } : {};
      return answered(api.DELETE('/api/v2/config/resources/{kind}/{name}', { params: { path, query } }));
    },
    onSuccess: async () => {
      say(`${name} is removed.`);
      onRemoved();
      await client.invalidateQueries(resourcesQuery);
    },
    // what uses it may have begun to just now
    onError: () => client.invalidateQueries(resourceQuery(kind, name)),
  });
  const isUsed = hasCode(removing.error, 'resource_in_use');
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button isBusy={retrying.isPending} onClick={() => retrying.mutate()}>
          <RotateCw aria-hidden /> Try again
        </Button>
        {!model.built_in && (
          <Confirm
            action="Remove"
            consequence="The model and what is set here are gone. What it made stays."
            isBusy={removing.isPending}
            isHeld={isUsed && !isForced}
            onConfirm={() => removing.mutate()}
          />
        )}
      </div>
      {isUsed && (
        <div role="alert" className="grid gap-2 rounded-md bg-bad-wash px-3 py-2 text-sm text-bad">
          <p>It is used, and stays. Let what uses it use another one first.</p>
          <Check label="Remove it although it is used" checked={isForced} onCheck={setForced} />
        </div>
      )}
      <Refused error={retrying.error ?? (isUsed ? null : removing.error)} />
      <ProbeOutcome
        isUnderWay={retrying.isPending || model.status === 'pending'}
        outcome={retrying.data ?? (model.error === null ? undefined : model)}
      />
    </div>
  );
}
