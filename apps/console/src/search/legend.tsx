import { type Wire } from '../api/loci.js';
import { PARTS, RERANKER } from './parts.js';
import { type Answers } from './results.js';

/** What the colours of the bars stand for, of those that occur. */
export function Legend({ answers }: { readonly answers: Answers }) {
  const explanations = answers
    .flatMap(({ data }) => [
      ...(data?.content.episodic_memory?.long_term_memory.episodes ?? []),
      ...(data?.content.semantic_memory ?? []),
    ])
    .flatMap(({ explanation }) => explanation ?? []);
  const colours = coloursOf(explanations);
  if (colours.length === 0) return null;
  return (
    <ul aria-label="Parts of a score" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {colours.map(([name, colour]) => (
        <li key={name} className="flex items-center gap-1.5">
          <span aria-hidden className="size-2.5 rounded-xs" style={{ backgroundColor: colour }} />
          {name}
        </li>
      ))}
    </ul>
  );
}

function coloursOf(explanations: readonly Wire['Explanation'][]) {
  const added = new Set(
    explanations.flatMap(({ parts }) =>
      parts.filter(({ contribution }) => contribution > 0).map(({ name }) => PARTS[name]),
    ),
  );
  return [
    ...Object.values(PARTS).filter((part) => added.has(part)),
    ...(explanations.some(({ reranker }) => reranker) ? [RERANKER] : []),
  ];
}
