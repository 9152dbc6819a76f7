import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answered, api } from '../api/loci.js';
import { Bar } from '../ui/bar.js';
import { linkStyle } from '../ui/link-style.js';
import { Panel } from '../ui/page.js';
import { Failure, Loading } from '../ui/states.js';

/** What an organization uses of its quotas. Who reads them is in the audit: they are asked once. */
export function QuotasUsed({ org }: { readonly org: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['quotas', org],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v2/quotas', { params: { query: { org_id: org } }, signal })),
    staleTime: 300_000,
  });
  return (
    <Panel
      title="Use against quotas"
      note={org}
      actions={
        <Link to="/quotas" search={{ org }} className={linkStyle({ className: 'text-xs' })}>
          Quotas
        </Link>
      }
    >
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading rows={2} />
      ) : (
        <ul className="grid gap-x-6 gap-y-3 p-4 sm:grid-cols-2 lg:grid-cols-3">
          {Object.entries(data.quotas).map(([name, { used, limit }]) => (
            <li key={name} className="grid gap-1 text-xs">
              <span className="flex justify-between gap-2">
                <span className="text-muted first-letter:uppercase">{name.replaceAll('_', ' ')}</span>
                <span className="tabular-nums">
                  {used.toLocaleString('en')} of {limit.toLocaleString('en')}
                </span>
              </span>
              <Bar role="meter" label={name.replaceAll('_', ' ')} value={used} max={limit} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
