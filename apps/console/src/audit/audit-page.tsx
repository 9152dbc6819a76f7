import { withHeaders } from '@loci/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type SubmitEvent } from 'react';
import { api, type Wire } from '../api/loci.js';
import { present } from '../api/search-params.js';
import { useSession } from '../session/session.js';
import { Badge, type Tone } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { type Column, DataTable } from '../ui/data-table.js';
import { Field, Input } from '../ui/field.js';
import { Page, Panel } from '../ui/page.js';
import { Empty, Listed } from '../ui/states.js';
import { useTyped } from '../ui/use-typed.js';
import { When } from '../ui/when.js';
import { Said } from '../ui/said.js';

const route = getRouteApi('/audit');

const FIELDS = [
  ['operation', 'Operation', 'POST /api/v2/keys'],
  ['actor', 'Actor', 'id of a key'],
  ['org_id', 'Organization', 'acme'],
  ['resource', 'Resource', 'id or name'],
  ['since', 'Since', '2026-05-01T00:00:00Z'],
] as const;

const toneOf = (status: number | null): Tone => {
  if (status === null) return 'plain';
  return status < 400 ? 'good' : status < 500 ? 'warn' : 'bad';
};

const COLUMNS: readonly Column<Wire['AuditRecord']>[] = [
  { name: 'When', by: ({ at }) => at, cell: ({ at }) => <When at={at} isExact /> },
  {
    name: 'Who',
    className: 'min-w-40',
    by: ({ actor }) => actor,
    cell: ({ actor, actor_kind, client_address }) => (
      <>
        <span className="break-all">
          <Said text={actor} />
        </span>
        <span className="block text-xs text-muted">
          {[actor_kind, client_address].filter(Boolean).join(' · ')}
        </span>
      </>
    ),
  },
  {
    name: 'What',
    className: 'min-w-56',
    by: ({ operation }) => operation,
    cell: ({ operation }) => <span className="font-mono text-xs break-all">{operation}</span>,
  },
  {
    name: 'Where',
    cell: ({ org_id, project_id }) => [org_id, project_id].filter((part) => part !== null).join(' / ') || '—',
  },
  {
    name: 'Outcome',
    by: ({ status }) => status ?? 0,
    cell: ({ status, code }) => (
      <Badge tone={toneOf(status)}>
        {status === null ? 'begun' : [status, code].filter(Boolean).join(' ')}
      </Badge>
    ),
  },
];

function Nothing({ isFiltered, hasOlder }: { readonly isFiltered: boolean; readonly hasOlder: boolean }) {
  const { authentication } = useSession();
  if (hasOlder) return <Empty title="None of the records that were looked through matches" />;
  if (authentication || isFiltered) return <Empty title="No record matches" />;
  return (
    <Empty title="Nothing is recorded">
      <p>This Loci asks for no key: it does not know who does what.</p>
    </Empty>
  );
}

/** Who did what. */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, type] = useTyped(search);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['audit', search],
    queryFn: async ({ signal, pageParam: cursor }) => {
      const query = { ...present(search), page_size: 100, ...(cursor !== '' && { cursor }) };
      const { data: records, headers } = await withHeaders(
        api.GET('/api/v2/audit', { params: { query }, signal }),
      );
      return { records, next: headers.get('x-next-cursor') ?? undefined };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void navigate({ search: typed });
  };
  const records = data?.pages.flatMap((page) => page.records);
  return (
    <Page title="Audit" lead="Who did what, newest first. To read it is recorded, too.">
      <form onSubmit={submit} className="grid grid-cols-2 items-end gap-2 sm:grid-cols-3 lg:grid-cols-6">
        {FIELDS.map(([field, label, placeholder]) => (
          <Field key={field} label={label}>
            {(control) => (
              <Input
                {...control}
                placeholder={placeholder}
                value={typed[field] ?? ''}
                onChange={(event) => type({ [field]: event.target.value || undefined })}
              />
            )}
          </Field>
        ))}
        <Button type="submit">Apply</Button>
      </form>
      <Panel>
        <Listed
          of={{ data: records, error, refetch }}
          empty={<Nothing isFiltered={Object.keys(present(search)).length > 0} hasOlder={hasNextPage} />}
          loadingRows={8}
        >
          {(rows) => <DataTable label="Audit" rows={rows} idOf={({ id }) => id} columns={COLUMNS} />}
        </Listed>
      </Panel>
      {hasNextPage && (
        <Button
          className="justify-self-center"
          isBusy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Older records
        </Button>
      )}
    </Page>
  );
}
