import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { type Wire } from '../api/loci.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { linkStyle } from '../ui/link-style.js';
import { Page, Panel } from '../ui/page.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { ModelDetails } from './model-details.js';
import { Status } from './probe-outcome.js';
import { type Kind, KIND_NAMES, KINDS } from './providers.js';
import { RegisterModel } from './register-model.js';
import { resourcesQuery } from './resources.js';
import { Said } from '../ui/said.js';

const route = getRouteApi('/models');

const kindOf = (text: string | undefined): Kind =>
  KIND_NAMES.find((kind) => kind === text) ?? 'language_models';

/** The models that Loci may use. */
export function ModelsPage() {
  const { data, error, refetch, isFetching } = useQuery(resourcesQuery);
  const { kind, name } = route.useSearch();
  const navigate = route.useNavigate();
  const [adding, setAdding] = useState<Kind>();
  return (
    <Page
      title="Models"
      lead="Each is tried when it is registered, and again when it fails."
      actions={
        <Button isBusy={isFetching} onClick={() => void refetch()}>
          <RefreshCw aria-hidden /> Refresh
        </Button>
      }
    >
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        KIND_NAMES.map((one) => (
          <Panel
            key={one}
            title={KINDS[one]}
            actions={
              <Button size="small" onClick={() => setAdding(one)} aria-label={`Register: ${KINDS[one]}`}>
                <Plus aria-hidden /> Register
              </Button>
            }
          >
            {data ? (
              <Models
                models={data[one]}
                onOpen={(opened) => void navigate({ search: { kind: one, name: opened } })}
              />
            ) : (
              <Loading rows={2} />
            )}
          </Panel>
        ))
      )}
      {data && (
        <Panel title="Databases">
          <Models models={data.databases} />
        </Panel>
      )}
      <Dialog
        isOpen={adding !== undefined}
        onClose={() => setAdding(undefined)}
        title={`Register: ${KINDS[adding ?? 'embedders']}`}
      >
        {adding && <RegisterModel kind={adding} taken={data?.[adding].map((one) => one.name) ?? []} />}
      </Dialog>
      {name !== undefined && (
        <ModelDetails kind={kindOf(kind)} name={name} onClose={() => void navigate({ search: {} })} />
      )}
    </Page>
  );
}

interface ModelsProps {
  readonly models: readonly Wire['Resource'][];
  readonly onOpen?: (name: string) => void;
}

function Models({ models, onOpen }: ModelsProps) {
  if (models.length === 0) return <Empty title="None is registered" />;
  return (
    <ul className="divide-y divide-line">
      {models.map(({ name, provider, status, error }) => (
        <li key={name} className="grid gap-1 px-4 py-2.5">
          <div className="flex items-center gap-3 text-sm">
            {onOpen ? (
              <button
                type="button"
                onClick={() => onOpen(name)}
                className={linkStyle({ look: 'entry', className: 'min-w-0' })}
              >
                <Said text={name} />
              </button>
            ) : (
              <span className="font-medium">
                <Said text={name} />
              </span>
            )}
            <span className="min-w-16 flex-1 truncate text-muted">{provider}</span>
            <span className="shrink-0">
              <Status status={status} />
            </span>
          </div>
          {error !== null && <p className="text-xs whitespace-pre-wrap text-bad">{error}</p>}
        </li>
      ))}
    </ul>
  );
}
