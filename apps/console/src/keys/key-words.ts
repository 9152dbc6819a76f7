import { type Bounds } from './bound-fields.js';

/** What a key is to be. */
export interface WantedKey {
  readonly scopes: readonly ('read' | 'write' | 'admin')[];
  readonly bounds: Bounds;
  /** As the field of a date has it; empty = it never expires. */
  readonly expires: string;
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });

/** What a key will be able to do, in a sentence. */
export function inWords({ scopes, bounds, expires }: WantedKey): string {
  if (scopes.length === 0) return 'The key will be able to do nothing: choose what it may do.';
  const until = expires === '' ? 'until it is revoked' : `until ${DATE.format(new Date(expires))}`;
  return `The key will ${whatItDoes(scopes)} in ${whereItDoes(bounds)}, ${until}.`;
}

function whatItDoes(scopes: WantedKey['scopes']): string {
  if (scopes.includes('admin')) return 'do everything, and make keys,';
  const does = [
    ...(scopes.includes('read') ? ['read'] : []),
    ...(scopes.includes('write') ? ['add, change and forget'] : []),
  ];
  return does.length > 1 ? does.join(', ') : `only ${does.join()}`;
}

function whereItDoes({ org_id, project_id, producer }: Bounds): string {
  const where =
    org_id === ''
      ? 'all organizations'
      : project_id === ''
        ? `all projects of ${org_id}`
        : `${org_id} / ${project_id}`;
  return producer === '' ? where : `${where} as ${producer}`;
}
