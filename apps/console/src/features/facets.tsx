import { filterLiteral } from '@loci/client';
import { counted } from './feature-groups.js';
import { visible } from '../ui/visible.js';
import { type Feature } from './features.js';

const SHOWN = 12;

/** What there is, by category and tag; a click shows only that. */
export function Facets({
  features,
  onPick,
}: {
  readonly features: readonly Feature[];
  readonly onPick: (filter: string) => void;
}) {
  const facets = [
    ...counted(features.map(({ category }) => category)).map(
      ([value, count]) => ['category', value, count] as const,
    ),
    ...counted(features.map(({ tag }) => tag)).map(([value, count]) => ['tag', value, count] as const),
  ];
  if (facets.length < 3) return null;
  return (
    <ul aria-label="Categories and tags" className="flex max-h-20 flex-wrap gap-1.5 overflow-y-auto">
      {facets.slice(0, 2 * SHOWN).map(([field, value, count]) => (
        <li key={`${field} ${value}`}>
          <button
            type="button"
            onClick={() => onPick(`${field}=${filterLiteral(value)}`)}
            className="flex max-w-60 gap-1 rounded-full border border-line bg-surface px-2.5 py-0.5 text-xs whitespace-nowrap text-soft hover:bg-sunken"
          >
            <span className="text-muted">{field}</span> <span className="truncate">{visible(value)}</span>{' '}
            <span className="text-muted">{count}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
