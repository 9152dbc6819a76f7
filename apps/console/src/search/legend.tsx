import { PARTS, RERANKER } from './parts.js';

/** What the colours of the bars stand for. */
export const Legend = () => (
  <ul aria-label="Parts of a score" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
    {[...Object.values(PARTS), RERANKER].map(([name, colour]) => (
      <li key={name} className="flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-xs" style={{ backgroundColor: colour }} />
        {name}
      </li>
    ))}
  </ul>
);
