import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { type Wire } from '../api/loci.js';
import { MODEL_SETTINGS } from '../memory/model-settings.js';
import { linkStyle } from '../ui/link-style.js';
import { Said } from '../ui/said.js';
import { KIND_NAMES } from './providers.js';

type Model = Pick<Wire['ResourceDetails'], 'used_by' | 'uses'>;
type Use = NonNullable<Model['uses']>[number];

/** What uses a model, each with the way to where it uses another one. */
export function UsedBy({ model }: { readonly model: Model }) {
  const uses: readonly Use[] = model.uses ?? model.used_by.map((text) => ({ text }));
  if (uses.length === 0) return 'nothing';
  return (
    <ul className="grid gap-1">
      {uses.map((use) => (
        <li key={use.text} className="break-words">
          <User use={use} />
        </li>
      ))}
    </ul>
  );
}

const SETTINGS: Readonly<Record<string, string>> = MODEL_SETTINGS;

function User({ use: { text, setting, project, resource } }: { readonly use: Use }): ReactNode {
  if (setting !== undefined) {
    return (
      <Link to="/memory" className={linkStyle()}>
        Memory: {SETTINGS[setting] ?? setting}
      </Link>
    );
  }
  if (project) {
    return (
      <Link
        to="/p/$org/$project/settings"
        params={{ org: project.org_id, project: project.project_id }}
        className={linkStyle()}
      >
        <Said text={`${project.org_id} / ${project.project_id}`} />
      </Link>
    );
  }
  const kind = KIND_NAMES.find((name) => name === resource?.kind);
  if (resource && kind) {
    return (
      <Link to="/models" search={{ kind, name: resource.name }} className={linkStyle()}>
        <Said text={resource.name} />
      </Link>
    );
  }
  return <Said text={text} />;
}
