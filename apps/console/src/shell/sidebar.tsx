import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { noteProject, pathOf, type Project, useCurrentProject } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { ADMIN_VIEWS, GENERAL_VIEWS, PROJECT_VIEWS, type View, visibleTo } from './navigation.js';
import { ProjectPicker } from './project-picker.js';

/** Leads to every view that the caller may see. */
export function Sidebar({ onSearch }: { readonly onSearch: () => void }) {
  const rights = useRights();
  const current = useCurrentProject();
  const admin = visibleTo(ADMIN_VIEWS, rights);
  return (
    <nav aria-label="Views" className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-2 py-2">
      <button
        type="button"
        onClick={onSearch}
        className="flex h-8 items-center gap-2 rounded-md border border-line bg-ground px-2.5 text-sm text-muted hover:text-ink"
      >
        <Search aria-hidden className="size-4" />
        Go to…
        <kbd className="ml-auto font-sans text-xs">⌘K</kbd>
      </button>
      <Group views={visibleTo(GENERAL_VIEWS, rights)} />
      {current && rights.read && (
        <div className="grid gap-1">
          <ProjectPicker current={current} onSearch={onSearch} />
          <Group views={PROJECT_VIEWS} project={current} />
        </div>
      )}
      {admin.length > 0 && (
        <div className="grid gap-1">
          <h2 className="px-2 text-xs font-medium text-muted">Deployment</h2>
          <Group views={admin} />
        </div>
      )}
    </nav>
  );
}

function Group({ views, project }: { readonly views: readonly View[]; readonly project?: Project }) {
  const below = project ? pathOf(project) : '';
  return (
    <ul className="grid gap-px">
      {views.map(({ to, name, icon: Icon }) => (
        <li key={to}>
          <Link
            to={below + to}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            onClick={() => (project ? noteProject(project) : undefined)}
            className="flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-soft hover:bg-sunken hover:text-ink"
            activeProps={{ className: 'bg-accent-wash !text-accent font-medium', 'aria-current': 'page' }}
          >
            <Icon aria-hidden className="size-4 shrink-0" />
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
