import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { type Project, useProject } from '../projects/project.js';
import { Button } from '../ui/button.js';
import { type Column, DataTable } from '../ui/data-table.js';
import { Input } from '../ui/field.js';
import { linkStyle } from '../ui/link-style.js';
import { Page, Panel } from '../ui/page.js';
import { Empty, Listed } from '../ui/states.js';
import { When } from '../ui/when.js';
import { useGroups } from './groups.js';
import { LookedThrough } from './looked-through.js';
import { type KnownUser, knownUsers, subjectsQuery } from './users.js';
import { Said } from '../ui/said.js';

const columnsOf = (project: Project): readonly Column<KnownUser>[] => [
  {
    name: 'User',
    by: ({ name }) => name,
    cell: ({ name }) => (
      <Link
        to="/p/$org/$project/users/$user"
        params={{ ...project, user: name }}
        className={linkStyle({ look: 'entry', className: 'line-clamp-3 break-all' })}
      >
        <Said text={name} />
      </Link>
    ),
  },
  {
    name: 'Features',
    by: ({ features }) => features,
    cell: ({ features }) => features,
    className: 'tabular-nums',
  },
  {
    name: 'Messages',
    by: ({ messages }) => messages,
    cell: ({ messages }) => messages,
    className: 'tabular-nums',
  },
  {
    name: 'Last seen',
    by: ({ seenAt = '' }) => seenAt,
    cell: ({ seenAt }) => (seenAt === undefined ? '—' : <When at={seenAt} />),
  },
];

/** Whom a project knows. */
export function UsersPage() {
  const project = useProject();
  const groups = useGroups(project, { by: 'user' });
  const subjects = useQuery(subjectsQuery(project));
  const users = {
    // those of whom there are only features are told with the others
    data: groups.data && !subjects.isPending ? knownUsers(groups.data, subjects.data) : undefined,
    error: groups.error ?? subjects.error,
    refetch: () => Promise.all([groups.refetch(), subjects.refetch()]),
  };
  const [name, setName] = useState('');
  const navigate = useNavigate();
  const open = (event: SubmitEvent): void => {
    event.preventDefault();
    const user = name.trim();
    if (user !== '') void navigate({ to: '/p/$org/$project/users/$user', params: { ...project, user } });
  };
  return (
    <Page title="Users" lead="Whom the messages and the features of the project name.">
      <form onSubmit={open} className="flex max-w-md gap-2">
        <Input
          aria-label="Name of a user"
          placeholder="Open a user by name"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit">Open</Button>
      </form>
      <Panel>
        <Listed of={users} empty={<Empty title="No user is known yet" />}>
          {(rows) => (
            <DataTable label="Users" rows={rows} idOf={(user) => user.name} columns={columnsOf(project)} />
          )}
        </Listed>
        <LookedThrough of={groups} />
      </Panel>
    </Page>
  );
}
