import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { type Wire } from '../api/loci.js';
import { noteProject, pathOf, type Project, projectsQuery, useCurrentProject } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { useMatchingUsers } from './known-users.js';
import { matching } from './matching.js';
import { ADMIN_VIEWS, GENERAL_VIEWS, PROJECT_VIEWS, type View, visibleTo } from './navigation.js';
import { chooseTheme, THEMES } from './theme.js';
import { Said } from '../ui/said.js';
import { useFocus } from '../ui/dialog-focus.js';

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Projects that are offered at once: of thousands, those that fit best. */
const PROJECTS_SHOWN = 50;

/** Goes anywhere by typing a part of its name. */
export function Palette({ isOpen, onClose }: PaletteProps) {
  const focus = useFocus();
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          aria-label="Go to"
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(34rem,calc(100vw-1.5rem))] -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-raised shadow-xl"
          {...focus}
        >
          {/* what arrives later is to be found as well, and of thousands of projects few are drawn */}
          <Command label="Go to" shouldFilter={false}>
            <Destinations onClose={onClose} />
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Destinations({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const rights = useRights();
  const current = useCurrentProject();
  const [typed, setTyped] = useState('');
  const projects = useQuery({ ...projectsQuery, staleTime: 0, enabled: rights.read });
  const run = (action: () => unknown) => (): void => {
    onClose();
    action();
  };
  const views = matching(visibleTo([...GENERAL_VIEWS, ...ADMIN_VIEWS], rights), typed, viewName).found;
  const ofProject = matching(current && rights.read ? PROJECT_VIEWS : [], typed, viewName).found;
  const named = matching(projects.data ?? [], typed, nameOf, PROJECTS_SHOWN);
  const themes = matching(THEMES, typed, themeName).found;
  const users = useMatchingUsers(rights.read ? current : undefined, typed);
  const found = [views, ofProject, named.found, users, themes];
  const isNothing = found.every(({ length }) => length === 0);
  return (
    <>
      <Command.Input
        value={typed}
        onValueChange={setTyped}
        placeholder="Go to a view, a project or a user"
        className="h-11 w-full border-b border-line bg-transparent px-4 outline-none"
      />
      <Command.List className="max-h-80 overflow-y-auto p-2">
        <Group name="Views" isShown={views.length > 0}>
          {views.map(({ to, name, icon: Icon }) => (
            <Item key={to} value={`view ${to}`} onSelect={run(() => navigate({ to }))}>
              <Icon aria-hidden className="size-4 text-muted" /> {name}
            </Item>
          ))}
        </Group>
        {current && (
          <Group name={`${current.org} / ${current.project}`} isShown={ofProject.length > 0}>
            {ofProject.map(({ to, name, icon: Icon }) => (
              <Item
                key={to}
                value={`project view ${to}`}
                onSelect={run(() => navigate({ to: pathOf(current) + to }))}
              >
                <Icon aria-hidden className="size-4 text-muted" /> {name}
              </Item>
            ))}
          </Group>
        )}
        <Group name="Projects" isShown={named.found.length > 0}>
          {named.found.map(({ org_id: org, project_id: project }) => (
            <Item
              key={pathOf({ org, project })}
              value={`project ${pathOf({ org, project })}`}
              onSelect={run(() => {
                noteProject({ org, project });
                return navigate({ to: '/p/$org/$project/episodes', params: { org, project } });
              })}
            >
              <Said text={`${org} / ${project}`} />
            </Item>
          ))}
        </Group>
        {current && <FoundUsers project={current} users={users} onOpen={run} />}
        <Group name="Colours" isShown={themes.length > 0}>
          {themes.map((theme) => (
            <Item key={theme} value={`colours ${theme}`} onSelect={run(() => chooseTheme(theme))}>
              Colours: {theme}
            </Item>
          ))}
        </Group>
      </Command.List>
      <p role="status" className="border-t border-line px-4 py-2 text-xs text-muted empty:hidden">
        {projects.isError
          ? 'The projects could not be listed.'
          : projects.isLoading
            ? 'The projects are on their way…'
            : named.leftOut > 0
              ? `${named.leftOut.toLocaleString('en')} more projects: type more of a name.`
              : isNothing
                ? 'Nothing of that name.'
                : undefined}
      </p>
    </>
  );
}

interface FoundUsersProps {
  readonly project: Project;
  readonly users: readonly string[];
  /** Closes the palette, and does what was chosen. */
  readonly onOpen: (action: () => unknown) => () => void;
}

function FoundUsers({ project, users, onOpen }: FoundUsersProps) {
  const navigate = useNavigate();
  return (
    <Group name={`Users of ${project.org} / ${project.project}`} isShown={users.length > 0}>
      {users.map((user) => (
        <Item
          key={user}
          value={`user ${user}`}
          onSelect={onOpen(() =>
            navigate({ to: '/p/$org/$project/users/$user', params: { ...project, user } }),
          )}
        >
          <span className="truncate">
            Open user ‘<Said text={user} />’
          </span>
        </Item>
      ))}
    </Group>
  );
}

const viewName = ({ name }: View): string => name;

const nameOf = ({ org_id, project_id }: Wire['ProjectName']): string => `${org_id} / ${project_id}`;

const themeName = (theme: string): string => `Colours: ${theme}`;

interface GroupProps {
  readonly name: string;
  readonly isShown: boolean;
  readonly children: ReactNode;
}

const Group = ({ name, isShown, children }: GroupProps) =>
  isShown && (
    <Command.Group
      heading={name}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );

interface ItemProps {
  /** Tells it from the others. */
  readonly value: string;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

const Item = ({ value, onSelect, children }: ItemProps) => (
  <Command.Item
    value={value}
    onSelect={onSelect}
    className="flex items-center gap-2.5 rounded-md px-2 py-1.5 text-sm data-[selected=true]:bg-accent-wash data-[selected=true]:text-accent"
  >
    {children}
  </Command.Item>
);
