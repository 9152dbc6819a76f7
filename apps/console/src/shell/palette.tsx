import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { type ReactNode } from 'react';
import { noteProject, pathOf, projectsQuery, useCurrentProject } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { ADMIN_VIEWS, GENERAL_VIEWS, PROJECT_VIEWS, visibleTo } from './navigation.js';
import { chooseTheme, THEMES } from './theme.js';

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Goes anywhere by typing a part of its name. */
export function Palette({ isOpen, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const rights = useRights();
  const current = useCurrentProject();
  const { data: projects = [] } = useQuery({ ...projectsQuery, enabled: isOpen });
  const run = (action: () => unknown) => (): void => {
    onClose();
    action();
  };
  const go = (to: string) => run(() => navigate({ to }));
  return (
    <Command.Dialog
      open={isOpen}
      onOpenChange={(open) => (open ? undefined : onClose())}
      label="Go to"
      overlayClassName="fixed inset-0 z-40 bg-black/40"
      contentClassName="fixed top-[12vh] left-1/2 z-50 w-[min(34rem,calc(100vw-1.5rem))] -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-raised shadow-xl"
    >
      <Command.Input
        placeholder="Go to a view or a project"
        className="h-11 w-full border-b border-line bg-transparent px-4 outline-none"
      />
      <Command.List className="max-h-80 overflow-y-auto p-2">
        <Command.Empty className="p-4 text-center text-sm text-muted">Nothing of that name.</Command.Empty>
        <Group name="Views">
          {[...GENERAL_VIEWS, ...visibleTo(ADMIN_VIEWS, rights)].map(({ to, name, icon: Icon }) => (
            <Item key={to} onSelect={go(to)}>
              <Icon aria-hidden className="size-4 text-muted" /> {name}
            </Item>
          ))}
        </Group>
        {current && (
          <Group name={`${current.org} / ${current.project}`}>
            {PROJECT_VIEWS.map(({ to, name, icon: Icon }) => (
              <Item key={to} onSelect={go(pathOf(current) + to)}>
                <Icon aria-hidden className="size-4 text-muted" /> {name}
              </Item>
            ))}
          </Group>
        )}
        <Group name="Projects">
          {projects.map(({ org_id: org, project_id: project }) => (
            <Item
              key={`${org}/${project}`}
              onSelect={run(() => {
                noteProject({ org, project });
                return navigate({ to: '/p/$org/$project/episodes', params: { org, project } });
              })}
            >
              {org} / {project}
            </Item>
          ))}
        </Group>
        <Group name="Colours">
          {THEMES.map((theme) => (
            <Item key={theme} onSelect={run(() => chooseTheme(theme))}>
              Colours: {theme}
            </Item>
          ))}
        </Group>
      </Command.List>
    </Command.Dialog>
  );
}

const Group = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <Command.Group
    heading={name}
    className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
  >
    {children}
  </Command.Group>
);

const Item = ({ onSelect, children }: { readonly onSelect: () => void; readonly children: ReactNode }) => (
  <Command.Item
    onSelect={onSelect}
    className="flex items-center gap-2.5 rounded-md px-2 py-1.5 text-sm data-[selected=true]:bg-accent-wash data-[selected=true]:text-accent"
  >
    {children}
  </Command.Item>
);
