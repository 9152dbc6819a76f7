import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { type Project, useProject } from '../projects/project.js';
import { Button } from '../ui/button.js';
import { type Column, DataTable } from '../ui/data-table.js';
import { Input } from '../ui/field.js';
import { Page, Panel } from '../ui/page.js';
import { Empty, Listed } from '../ui/states.js';
import { When } from '../ui/when.js';
import { type KnownUser, usersQuery } from './users.js';

const columnsOf = (project: Project): readonly Column<KnownUser>[] => [
  {
    name: 'User',
    by: ({ name }) => name,
    cell: ({ name }) => (
      <Link
        to="/p/$org/$project/users/$user"
        params={{ ...project, user: name }}
        className="font-medium break-all text-accent underline-offset-2 hover:underline"
      >
        {name}
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
  const users = useQuery(usersQuery(project));
  const [name, setName] = useState('');
  const navigate = useNavigate();
  const open = (event: SubmitEvent): void => {
    event.preventDefault();
    const user = name.trim();
    if (user !== '') void navigate({ to: '/p/$org/$project/users/$user', params: { ...project, user } });
  };
  return (
    <Page title="Users" lead="Whom the newest thousand messages and the features of the project name.">
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
      </Panel>
    </Page>
  );
}
