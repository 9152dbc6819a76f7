import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { answered, api, problemOf } from '../api/loci.js';
import { SecretOnce } from '../keys/secret-once.js';
import { EVENT_TYPES, type EventType } from '../overview/event-types.js';
import { useSession } from '../session/session.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Check, Field, Input } from '../ui/field.js';
import { Refused } from '../ui/states.js';
import { WEBHOOKS_KEY } from './webhooks.js';

/** A button that makes a webhook, and shows its secret once. */
export function CreateWebhook() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> New webhook
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="New webhook">
        <WebhookForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function WebhookForm({ onDone }: { readonly onDone: () => void }) {
  const session = useSession();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [org, setOrg] = useState(session.org_id ?? '');
  const [project, setProject] = useState(session.project_id ?? '');
  const [types, setTypes] = useState<readonly EventType[]>([]);
  const client = useQueryClient();
  const creating = useMutation({
    mutationFn: () => {
      const bounds = { org_id: org || null, project_id: project || null };
      return answered(
        api.POST('/api/v2/webhooks', { body: { url, description, ...bounds, types: [...types] } }),
      );
    },
    onSuccess: () => client.invalidateQueries({ queryKey: WEBHOOKS_KEY }),
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    creating.mutate();
  };
  if (creating.data) {
    return (
      <div className="grid gap-4">
        <SecretOnce issued={{ name: creating.data.url, secret: creating.data.secret }} />
        <Button className="justify-self-end" onClick={onDone}>
          Done
        </Button>
      </div>
    );
  }
  const bounds = [
    ['Organization', 'org_id', org, setOrg, session.org_id !== null, 'all'],
    ['Project', 'project_id', project, setProject, session.project_id !== null, 'all of the organization'],
  ] as const;
  return (
    <form onSubmit={submit} className="grid gap-3">
      <Field label="Address" problem={problemOf(creating.error, 'url')}>
        {(control) => (
          <Input
            {...control}
            type="url"
            required
            placeholder="https://hooks.acme.example/loci"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <Field label="What it is for" problem={problemOf(creating.error, 'description')}>
        {(control) => (
          <Input {...control} value={description} onChange={(event) => setDescription(event.target.value)} />
        )}
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        {bounds.map(([label, field, value, set, isBound, placeholder]) => (
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
      </div>
      <Types types={types} onChange={setTypes} />
      <Refused error={creating.error} />
      <Button type="submit" look="primary" className="justify-self-end" isBusy={creating.isPending}>
        Make the webhook
      </Button>
    </form>
  );
}

interface TypesProps {
  readonly types: readonly EventType[];
  readonly onChange: (types: readonly EventType[]) => void;
}

function Types({ types, onChange }: TypesProps) {
  const change = (type: EventType, isChecked: boolean): void =>
    onChange(isChecked ? [...types, type] : types.filter((one) => one !== type));
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2">
      <legend className="mb-1 text-xs font-medium text-soft">Events; all, if you choose none</legend>
      {EVENT_TYPES.map((type) => (
        <Check
          key={type}
          label={type}
          checked={types.includes(type)}
          onCheck={(isChecked) => change(type, isChecked)}
        />
      ))}
    </fieldset>
  );
}
