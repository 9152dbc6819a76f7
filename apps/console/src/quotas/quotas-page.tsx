import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { answered, api, type Wire } from '../api/loci.js';
import { projectsQuery, useCurrentProject } from '../projects/project.js';
import { useRights, useSession } from '../session/session.js';
import { Button } from '../ui/button.js';
import { Field, Input } from '../ui/field.js';
import { Bar } from '../ui/bar.js';
import { Page, Panel, Stat } from '../ui/page.js';
import { Failure, Loading, Refused } from '../ui/states.js';

type Name = keyof Wire['Quotas']['quotas'];

const NAMES: Readonly<Record<Name, string>> = {
  projects: 'Projects',
  keys: 'Keys',
  webhooks: 'Webhooks',
  sets: 'Sets',
  set_types: 'Set types',
  categories_per_set: 'Categories of a set',
  model_calls_per_day: 'Calls of models today',
  model_tokens_per_day: 'Tokens of models today',
  model_cost_per_day: 'Cost of models today',
};
const ALL = Object.keys(NAMES) as readonly Name[];

const route = getRouteApi('/quotas');

/** What an organization may use, and what it uses. */
export function QuotasPage() {
  const session = useSession();
  const rights = useRights();
  const current = useCurrentProject();
  const navigate = route.useNavigate();
  const { org: opened } = route.useSearch();
  // where no address names an organization, the projects do: none is asked about before they are there
  const { isLoading } = useQuery({ ...projectsQuery, enabled: rights.read });
  const named = session.org_id ?? opened ?? current?.org;
  const org = named ?? 'universal';
  const isKnown = named !== undefined || !isLoading;
  const quotas = useQuery({
    queryKey: ['quotas', org],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v2/quotas', { params: { query: { org_id: org } }, signal })),
    enabled: isKnown,
  });
  return (
    <Page title="Quotas" lead={`What ${isKnown ? org : '…'} may use of the deployment, and what it uses.`}>
      {session.org_id === null && isKnown && (
        <OpenOrganization
          key={org}
          org={org}
          onOpen={(wanted) => void navigate({ search: { org: wanted } })}
        />
      )}
      {quotas.error ? (
        <Failure error={quotas.error} onRetry={() => void quotas.refetch()} />
      ) : !quotas.data ? (
        <Loading />
      ) : (
        <>
          <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {ALL.map((one) => (
              <Use key={one} name={NAMES[one]} quota={quotas.data.quotas[one]} />
            ))}
            <Stat
              label="Messages that wait for a set"
              value={quotas.data.messages_waiting.toLocaleString('en')}
            />
          </div>
          {rights.deployment && <SetQuotas key={org} quotas={quotas.data} />}
        </>
      )}
    </Page>
  );
}

interface OpenOrganizationProps {
  readonly org: string;
  readonly onOpen: (org: string) => void;
}

function OpenOrganization({ org, onOpen }: OpenOrganizationProps) {
  const [name, setName] = useState(org);
  const open = (event: SubmitEvent): void => {
    event.preventDefault();
    onOpen(name.trim());
  };
  return (
    <form onSubmit={open} className="flex max-w-md gap-2">
      <Input
        aria-label="Organization"
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit">Open</Button>
    </form>
  );
}

function Use({
  name,
  quota: { used, limit, is_default },
}: {
  readonly name: string;
  readonly quota: Wire['Quota'];
}) {
  return (
    <div className="grid gap-1.5 rounded-lg border border-line bg-surface px-4 py-3 shadow-xs">
      <p className="flex justify-between text-xs font-medium text-muted">
        {name} {is_default && <span>default</span>}
      </p>
      <p className="text-lg font-semibold tabular-nums">
        {used.toLocaleString('en')}{' '}
        <span className="text-sm font-normal text-muted">of {limit.toLocaleString('en')}</span>
      </p>
      <Bar role="meter" label={name} value={used} max={limit} />
    </div>
  );
}

function SetQuotas({ quotas }: { readonly quotas: Wire['Quotas'] }) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(
      ALL.map((name) => [name, quotas.quotas[name].is_default ? '' : String(quotas.quotas[name].limit)]),
    ),
  );
  const client = useQueryClient();
  const setting = useMutation({
    mutationFn: () => {
      const limits = Object.fromEntries(ALL.map((name) => [name, typed[name] ? Number(typed[name]) : null]));
      return answered(api.PUT('/api/v2/quotas', { body: { org_id: quotas.org_id, ...limits } }));
    },
    onSuccess: (answer) => client.setQueryData(['quotas', quotas.org_id], answer),
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setting.mutate();
  };
  return (
    <Panel title="Set quotas" note="Left empty: the default of the deployment">
      <form onSubmit={submit} className="grid gap-3 p-4">
        <div className="grid gap-3 sm:grid-cols-3">
          {ALL.map((name) => (
            <Field key={name} label={NAMES[name]}>
              {(control) => (
                <Input
                  {...control}
                  type="number"
                  min={0}
                  placeholder="default"
                  value={typed[name] ?? ''}
                  onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
                />
              )}
            </Field>
          ))}
        </div>
        <Refused error={setting.error} />
        <Button type="submit" look="primary" className="justify-self-end" isBusy={setting.isPending}>
          Save
        </Button>
      </form>
    </Panel>
  );
}
