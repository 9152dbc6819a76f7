import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api, type Wire } from '../api/loci.js';
import { useRights, useSession } from '../session/session.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { type Column, DataTable, NAME_COLUMN } from '../ui/data-table.js';
import { Dialog } from '../ui/dialog.js';
import { Field, Select } from '../ui/field.js';
import { Page, Panel } from '../ui/page.js';
import { PartOf } from '../ui/part-of.js';
import { Empty, Listed, Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { When } from '../ui/when.js';
import { CreateKey } from './create-key.js';
import { keysQuery } from './keys.js';
import { SecretOnce } from './secret-once.js';
import { Said } from '../ui/said.js';
import { visible } from '../ui/visible.js';

type Key = Wire['ApiKey'];

const columnsFor = (
  own: string,
  mayRotate: (key: Key) => boolean,
  producer: string | null,
  onRotate: (key: Key) => void,
): readonly Column<Key>[] => [
  {
    name: 'Name',
    className: NAME_COLUMN,
    by: ({ name }) => name,
    cell: ({ id, name, hint }) => (
      <>
        <span className="font-medium">
          <Said text={name} />
        </span>{' '}
        {id === own && <Badge tone="accent">yours</Badge>}
        <span className="block font-mono text-xs text-muted">{hint}…</span>
      </>
    ),
  },
  { name: 'May', cell: ({ scopes }) => scopes.join(', ') },
  {
    name: 'Where',
    by: ({ org_id, project_id }) => `${org_id ?? ''}/${project_id ?? ''}`,
    cell: ({ org_id, project_id, producer }) => (
      <>
        <Said
          text={
            org_id === null ? 'everywhere' : [org_id, project_id].filter((part) => part !== null).join(' / ')
          }
        />
        {producer !== null && (
          <span className="block text-xs text-muted">
            as <Said text={producer} />
          </span>
        )}
      </>
    ),
  },
  {
    name: 'Made',
    by: ({ created_at }) => created_at,
    cell: ({ created_at, rotated_at, former_valid_until }) => (
      <>
        <When at={created_at} />
        {rotated_at !== null && (
          <span className="block text-xs text-muted">
            new secret <When at={rotated_at} />
          </span>
        )}
        <FormerSecret until={former_valid_until} />
      </>
    ),
  },
  {
    name: 'Ends',
    by: ({ expires_at }) => expires_at ?? '9999',
    cell: ({ expires_at }) => (expires_at === null ? 'never' : <When at={expires_at} />),
  },
  {
    name: 'Actions',
    isNameHidden: true,
    // one who speaks for a producer alone touches no key that speaks for others
    cell: (key) =>
      (producer === null || key.producer === producer) && (
        <KeyActions apiKey={key} mayRotate={mayRotate(key)} onRotate={onRotate} />
      ),
    className: 'text-right',
  },
];

/** Who may call Loci. */
export function KeysPage() {
  const { id, producer } = useSession();
  const { admin } = useRights();
  const keys = useQuery(keysQuery);
  // beside the list: a key that was rotated is another one, and its row is gone
  const [rotated, setRotated] = useState<Key>();
  return (
    <Page
      title="Keys"
      lead="Of each key only a digest is stored: its secret is shown once."
      actions={admin && <CreateKey />}
    >
      <Panel>
        <Listed
          of={{ ...keys, data: keys.data?.rows }}
          empty={
            <Empty title="No key yet">
              <p>An agent needs one where Loci asks who calls.</p>
            </Empty>
          }
        >
          {(rows) => (
            <DataTable
              label="Keys"
              rows={rows}
              idOf={(key) => key.id}
              columns={columnsFor(id, mayRotateBy(rows.find((key) => key.id === id)), producer, setRotated)}
            />
          )}
        </Listed>
        <PartOf shown={keys.data?.rows.length ?? 0} total={keys.data?.total ?? 0} what="keys, the newest" />
      </Panel>
      {rotated && (
        <Dialog isOpen onClose={() => setRotated(undefined)} title={`Rotate ${rotated.name}`}>
          <Rotate apiKey={rotated} />
        </Dialog>
      )}
    </Page>
  );
}

/** No key that has ended is rotated, and none by a key that ends before it. */
const mayRotateBy =
  (own: Key | undefined) =>
  ({ expires_at }: Key): boolean => {
    const endsAt = expires_at === null ? Infinity : Date.parse(expires_at);
    const ownEndsAt = own?.expires_at ? Date.parse(own.expires_at) : Infinity;
    return endsAt > Date.now() && endsAt <= ownEndsAt;
  };

const FormerSecret = ({ until }: { readonly until: string | undefined }) =>
  until !== undefined && (
    <span className="block text-xs text-muted">
      the former is valid until <When at={until} isExact />
    </span>
  );

interface KeyActionsProps {
  readonly apiKey: Key;
  readonly mayRotate: boolean;
  readonly onRotate: (key: Key) => void;
}

function KeyActions({ apiKey, mayRotate, onRotate }: KeyActionsProps) {
  return (
    <div className="flex flex-wrap items-start gap-2 md:justify-end">
      {mayRotate && (
        <Button size="small" aria-label={`Rotate ${visible(apiKey.name)}`} onClick={() => onRotate(apiKey)}>
          Rotate
        </Button>
      )}
      <Revoke apiKey={apiKey} />
    </div>
  );
}

function Revoke({ apiKey: { id, name } }: { readonly apiKey: Key }) {
  const { id: own } = useSession();
  const client = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => answered(api.DELETE('/api/v2/keys/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      say('The key ends everywhere within a second, and every session with it.');
      await client.invalidateQueries(keysQuery);
    },
  });
  return (
    <>
      <Confirm
        action="Revoke"
        of={visible(name)}
        size="small"
        consequence={`Clients that use this key are refused from now on${id === own ? ', and you are signed out' : ''}.`}
        isBusy={revoking.isPending}
        onConfirm={() => revoking.mutate()}
      />
      <Refused error={revoking.error} />
    </>
  );
}

const GRACES = [
  ['0', 'not at all'],
  ['3600', 'an hour'],
  ['86400', 'a day'],
] as const;

function Rotate({ apiKey: { id } }: { readonly apiKey: Key }) {
  const [grace, setGrace] = useState('3600');
  const client = useQueryClient();
  const rotating = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/api/v2/keys/{id}/rotate', {
          params: { path: { id } },
          body: { grace_seconds: Number(grace) },
        }),
      ),
    onSuccess: () => client.invalidateQueries(keysQuery),
  });
  if (rotating.data) return <SecretOnce issued={rotating.data} />;
  return (
    <div className="grid gap-4 text-left">
      <Field label="The former secret stays valid for">
        {(control) => <Select {...control} value={grace} options={GRACES} onPick={setGrace} />}
      </Field>
      <Refused error={rotating.error} />
      <Button
        look="primary"
        className="justify-self-end"
        isBusy={rotating.isPending}
        onClick={() => rotating.mutate()}
      >
        Make a new secret
      </Button>
    </div>
  );
}
