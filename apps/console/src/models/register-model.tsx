import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { answered, api, problemOf } from '../api/loci.js';
import { Button } from '../ui/button.js';
import { Check, Field, Input, Select } from '../ui/field.js';
import { Refused } from '../ui/states.js';
import { ProbeOutcome } from './probe-outcome.js';
import { type Kind, PROVIDERS } from './providers.js';
import { resourcesQuery, watchProbe } from './resources.js';
import { configOf, type Provider, type SettingField } from './setting-fields.js';

/** What a form begins with. */
export interface Preset {
  readonly name?: string;
  readonly provider?: string;
  readonly config?: Readonly<Record<string, string>>;
}

interface RegisterModelProps {
  readonly kind: Kind;
  /** Names of the models of this kind that are there. */
  readonly taken: readonly string[];
  readonly preset?: Preset;
}

/** Registers a model: its provider is asked for something small at once, and what it answers is shown. */
export function RegisterModel({ kind, taken, preset = {} }: RegisterModelProps) {
  const providers = PROVIDERS[kind];
  const [name, setName] = useState(preset.name ?? '');
  const [providerId, setProviderId] = useState(preset.provider ?? providers[0]?.id ?? '');
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(preset.config ?? {});
  const [isDefault, setDefault] = useState(kind === 'language_models');
  const provider = providers.find(({ id }) => id === providerId);
  const isReplaced = taken.includes(name);
  const client = useQueryClient();
  const registering = useMutation({
    mutationFn: () =>
      register({ kind, name, provider, typed, isDefault: isDefault && kind === 'language_models' }),
    onSettled: () => client.invalidateQueries(resourcesQuery),
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    registering.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Provider">
          {(control) => (
            <Select
              {...control}
              value={providerId}
              options={providers.map((one) => [one.id, one.name] as const)}
              onPick={(picked) => {
                setProviderId(picked);
                // a key must not go to another provider than the one that it was typed for
                setTyped({});
              }}
            />
          )}
        </Field>
        <Field
          label="Name here"
          hint={isReplaced ? 'A model has this name: what you type replaces it, its key too.' : undefined}
          problem={problemOf(registering.error, 'name')}
        >
          {(control) => (
            <Input
              {...control}
              required
              placeholder="main"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {provider?.fields.map((field) => (
          <Setting
            key={field.key}
            field={field}
            value={typed[field.key] ?? ''}
            problem={problemOf(registering.error, field.key)}
            onChange={(value) => setTyped((now) => ({ ...now, [field.key]: value }))}
          />
        ))}
      </div>
      {kind === 'language_models' && (
        <Check
          label="Learn with this model"
          hint="Ingestion and summaries use it where no set says otherwise."
          checked={isDefault}
          onCheck={setDefault}
        />
      )}
      <Refused
        error={registering.error}
        besides={['name', ...(provider?.fields.map(({ key }) => key) ?? [])]}
      />
      <ProbeOutcome isUnderWay={registering.isPending} outcome={registering.data} />
      <Button type="submit" look="primary" className="justify-self-end" isBusy={registering.isPending}>
        {isReplaced ? 'Replace and try it' : 'Register and try it'}
      </Button>
    </form>
  );
}

interface Registration {
  readonly kind: Kind;
  readonly name: string;
  readonly provider: Provider | undefined;
  readonly typed: Readonly<Record<string, string>>;
  /** Whether the deployment learns with it once it is ready. */
  readonly isDefault: boolean;
}

async function register({ kind, name, provider, typed, isDefault }: Registration) {
  const config = configOf(provider?.fields ?? [], typed);
  const body = { name, provider: provider?.id ?? '', config, may_be_default: isDefault };
  const params = { path: { kind } };
  const first = await answered(api.POST('/api/v2/config/resources/{kind}', { params, body }));
  const outcome = await watchProbe(kind, name, first);
  if (outcome.status !== 'ready' || !isDefault) return outcome;
  await answered(api.PUT('/api/v2/config/memory/semantic', { body: { llm_model: name } }));
  await answered(api.PUT('/api/v2/config/memory/episodic/short_term', { body: { llm_model: name } }));
  return outcome;
}

interface SettingProps {
  readonly field: SettingField;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

function Setting({ field, value, problem, onChange }: SettingProps) {
  const { label, hint, type, choices = [], isRequired = false, placeholder } = field;
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) =>
        type === 'choice' ? (
          <Select {...control} value={value || undefined} options={choices} onPick={onChange} />
        ) : (
          <Input
            {...control}
            type={{ secret: 'password', number: 'number' }[type as string] ?? 'text'}
            step="any"
            required={isRequired}
            placeholder={placeholder}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  );
}
