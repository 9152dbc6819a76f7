import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { answered, api, problemOf } from '../api/loci.js';
import { useSession } from '../session/session.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Check, Field, Input } from '../ui/field.js';
import { Refused } from '../ui/states.js';
import { keysQuery } from './keys.js';
import { SecretOnce } from './secret-once.js';

/** A button that makes a key, and shows its secret once. */
export function CreateKey() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> New key
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="New key">
        <KeyForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

const SCOPES = [
  ['read', 'Searches, lists and reads.'],
  ['write', 'Adds, changes and forgets.'],
  ['admin', 'Everything, and makes keys.'],
] as const;

type Scope = (typeof SCOPES)[number][0];

function KeyForm({ onDone }: { readonly onDone: () => void }) {
  const session = useSession();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read', 'write']);
  const [org, setOrg] = useState(session.org_id ?? '');
  const [project, setProject] = useState(session.project_id ?? '');
  const [producer, setProducer] = useState(session.producer ?? '');
  const [expires, setExpires] = useState('');
  const client = useQueryClient();
  const creating = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/api/v2/keys', {
          body: {
            name,
            scopes: [...scopes],
            org_id: org || null,
            project_id: project || null,
            producer: producer || null,
            expires_at: expires === '' ? null : new Date(expires).toISOString(),
          },
        }),
      ),
    onSuccess: () => client.invalidateQueries(keysQuery),
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    creating.mutate();
  };
  if (creating.data) {
    return (
      <div className="grid gap-4">
        <SecretOnce issued={creating.data} />
        <Button className="justify-self-end" onClick={onDone}>
          Done
        </Button>
      </div>
    );
  }
  const texts = [
    ['Organization', 'org_id', org, setOrg, session.org_id !== null, 'all'],
    ['Project', 'project_id', project, setProject, session.project_id !== null, 'all of the organization'],
    ['Producer', 'producer', producer, setProducer, session.producer !== null, 'any'],
  ] as const;
  return (
    <form onSubmit={submit} className="grid gap-3">
      <Field label="Name" problem={problemOf(creating.error, 'name')}>
        {(control) => (
          <Input
            {...control}
            required
            placeholder="travel agent, production"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Scopes scopes={scopes} onChange={setScopes} />
      <div className="grid gap-3 sm:grid-cols-2">
        {texts.map(([label, field, value, set, isBound, placeholder]) => (
          <Field key={field} label={label} problem={problemOf(creating.error, field)}>
            {(control) => (
              <Input
                {...control}
                disabled={isBound}
                placeholder={placeholder}
                value={value}
                onChange={(event) => set(event.target.value)}
              />
            )}
          </Field>
        ))}
        <Field label="Valid until" problem={problemOf(creating.error, 'expires_at')}>
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              value={expires}
              onChange={(event) => setExpires(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Refused error={creating.error} />
      <Button type="submit" look="primary" className="justify-self-end" isBusy={creating.isPending}>
        Make the key
      </Button>
    </form>
  );
}

interface ScopesProps {
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

function Scopes({ scopes, onChange }: ScopesProps) {
  const change = (scope: Scope, isChecked: boolean): void =>
    onChange(isChecked ? [...scopes, scope] : scopes.filter((one) => one !== scope));
  return (
    <fieldset className="grid gap-2 sm:grid-cols-3">
      <legend className="mb-1 text-xs font-medium text-soft">What it may do</legend>
      {SCOPES.map(([scope, hint]) => (
        <Check
          key={scope}
          label={scope}
          hint={hint}
          checked={scopes.includes(scope)}
          onCheck={(isChecked) => change(scope, isChecked)}
        />
      ))}
    </fieldset>
  );
}
