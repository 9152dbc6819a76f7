import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api, problemOf } from '../api/loci.js';
import { useCurrentProject } from '../projects/project.js';
import { Choices } from '../ui/choices.js';
import { Create } from '../ui/create.js';
import { Field, Input } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { Said } from '../ui/said.js';
import { BoundFields, type Bounds, useOwnBounds } from './bound-fields.js';
import { inWords } from './key-words.js';
import { keysQuery } from './keys.js';
import { IssuedSecret } from './secret-once.js';

/** A button that makes a key, and shows its secret once. */
export const CreateKey = () => <Create title="New key">{(close) => <KeyForm onDone={close} />}</Create>;

const SCOPES = [
  ['read', 'Searches, lists and reads.'],
  ['write', 'Adds, changes and forgets.'],
  ['admin', 'Everything, and makes keys.'],
] as const;

type Scope = (typeof SCOPES)[number][0];

/** The project that is looked at, as far as the caller may bind a key to it: most keys are for one. */
function useFirstBounds(): Bounds {
  const own = useOwnBounds();
  const current = useCurrentProject();
  if (!current || (own.org_id !== '' && own.org_id !== current.org)) return own;
  return { ...own, org_id: current.org, project_id: own.project_id || current.project };
}

function KeyForm({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read']);
  const [bounds, setBounds] = useState(useFirstBounds());
  const [expires, setExpires] = useState('');
  const client = useQueryClient();
  const creating = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/api/v2/keys', {
          body: {
            name,
            scopes: [...scopes],
            org_id: bounds.org_id || null,
            project_id: bounds.project_id || null,
            producer: bounds.producer || null,
            expires_at: expires === '' ? null : new Date(expires).toISOString(),
          },
        }),
      ),
    onSuccess: () => client.invalidateQueries(keysQuery),
  });
  if (creating.data) return <IssuedSecret issued={creating.data} onDone={onDone} />;
  return (
    <Form
      action="Make the key"
      sending={creating}
      besides={['name', 'org_id', 'project_id', 'producer', 'expires_at']}
    >
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
      <Choices
        legend="What it may do"
        options={SCOPES}
        chosen={scopes}
        onChoose={setScopes}
        className="sm:grid-cols-3"
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <BoundFields
          bounds={bounds}
          names={['org_id', 'project_id', 'producer']}
          error={creating.error}
          onChange={setBounds}
        />
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
      <p className="text-sm text-soft" aria-live="polite">
        <Said text={inWords({ scopes, bounds, expires })} />
      </p>
    </Form>
  );
}
