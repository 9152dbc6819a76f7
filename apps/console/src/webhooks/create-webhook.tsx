import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api, problemOf } from '../api/loci.js';
import { BoundFields, useOwnBounds } from '../keys/bound-fields.js';
import { IssuedSecret } from '../keys/secret-once.js';
import { EVENT_TYPES, type EventType } from '../overview/event-types.js';
import { Choices } from '../ui/choices.js';
import { Create } from '../ui/create.js';
import { Field, Input } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { WEBHOOKS_KEY } from './webhooks.js';

/** A button that makes a webhook, and shows its secret once. */
export const CreateWebhook = () => (
  <Create title="New webhook">{(close) => <WebhookForm onDone={close} />}</Create>
);

function WebhookForm({ onDone }: { readonly onDone: () => void }) {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [bounds, setBounds] = useState(useOwnBounds());
  const [types, setTypes] = useState<readonly EventType[]>([]);
  const client = useQueryClient();
  const creating = useMutation({
    mutationFn: () => {
      const of = { org_id: bounds.org_id || null, project_id: bounds.project_id || null };
      return answered(api.POST('/api/v2/webhooks', { body: { url, description, ...of, types: [...types] } }));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: WEBHOOKS_KEY }),
  });
  if (creating.data) {
    const { url: name, secret } = creating.data;
    return <IssuedSecret issued={{ name, secret }} onDone={onDone} />;
  }
  return (
    <Form
      action="Make the webhook"
      sending={creating}
      besides={['url', 'description', 'org_id', 'project_id']}
    >
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
        <BoundFields
          bounds={bounds}
          names={['org_id', 'project_id']}
          error={creating.error}
          onChange={setBounds}
        />
      </div>
      <Choices
        legend="Events; all, if you choose none"
        options={EVENT_TYPES.map((type) => [type])}
        chosen={types}
        onChoose={setTypes}
        className="sm:grid-cols-2"
      />
    </Form>
  );
}
