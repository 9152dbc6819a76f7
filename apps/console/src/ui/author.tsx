import { type Wire } from '../api/loci.js';
import { Said } from './said.js';

const KINDS = {
  'api-key': 'key',
  user: 'user',
  'static-token': 'token',
  system: 'system',
} as const;

/** A caller, as what it added names it. */
export function Author({ author }: { readonly author: Wire['Author'] }) {
  return (
    <span>
      <Said text={author.name ?? author.id} /> <span className="text-muted">({KINDS[author.kind]})</span>
    </span>
  );
}
