import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { MODEL_SETTINGS } from '../memory/model-settings.js';
import { linkStyle } from '../ui/link-style.js';
import { Said } from '../ui/said.js';
import { type Kind } from './providers.js';

/** What uses a model, each with the way to where it uses another one. */
export const UsedBy = ({ users }: { readonly users: readonly string[] }) =>
  users.length === 0 ? (
    'nothing'
  ) : (
    <ul className="grid gap-1">
      {users.map((user) => (
        <li key={user} className="break-words">
          <User user={user} />
        </li>
      ))}
    </ul>
  );

const SETTINGS: Readonly<Record<string, string>> = MODEL_SETTINGS;

const KINDS: Readonly<Record<string, Kind>> = {
  'language model': 'language_models',
  embedder: 'embedders',
  reranker: 'rerankers',
};

/** @param user as the API names it, for people who write requests */
function User({ user }: { readonly user: string }): ReactNode {
  const [, setting = ''] = /^the memory configuration \((.+)\)$/.exec(user) ?? [];
  if (setting !== '') {
    return (
      <Link to="/memory" className={linkStyle()}>
        Memory: {SETTINGS[setting] ?? setting}
      </Link>
    );
  }
  const [, project, as = ''] = /^project (.+) \((\w+)\)$/.exec(user) ?? [];
  if (project !== undefined) {
    return (
      <Link to="/projects" className={linkStyle()}>
        <Said text={`${project} (${as})`} />
      </Link>
    );
  }
  const [, noun = '', name] = /^([a-z ]+) '(.+)'$/i.exec(user) ?? [];
  const kind = KINDS[noun.toLowerCase()];
  if (kind !== undefined && name !== undefined) {
    return (
      <Link to="/models" search={{ kind, name }} className={linkStyle()}>
        <Said text={name} />
      </Link>
    );
  }
  return <Said text={user} />;
}
