import { Link } from '@tanstack/react-router';
import { type Wire } from '../api/loci.js';
import { speakerOf } from '../episodes/episodes.js';
import { type Project } from '../projects/project.js';
import { When } from '../ui/when.js';
import { Move } from './move.js';
import { ScoreBar, ScoreTable } from './score-bar.js';
import { Said } from '../ui/said.js';

type Hit = Wire['EpisodeResponse'];

interface HitsProps {
  readonly project: Project;
  readonly hits: readonly Hit[];
  /** The ids of the hits of the other settings, best first. */
  readonly others?: readonly string[] | undefined;
  readonly expected: string;
}

/** Hits, best first, each with what its score is made of. */
export function Hits({ project, hits, others, expected }: HitsProps) {
  return (
    <ol className="divide-y divide-line">
      {hits.map((hit, index) => (
        <li key={hit.uid} className={hit.uid === expected ? 'bg-accent-wash px-4 py-3' : 'px-4 py-3'}>
          <div className="flex items-start gap-3">
            <span className="w-5 shrink-0 text-right text-sm text-muted tabular-nums">{index + 1}</span>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
                <Link
                  to="/p/$org/$project/episodes"
                  params={project}
                  search={{ uid: hit.uid, at: hit.created_at }}
                  className="line-clamp-2 font-medium text-soft underline-offset-2 hover:underline"
                >
                  {speakerOf(hit)}
                </Link>
                <When at={hit.created_at} isExact />
                {others && <Move from={others.indexOf(hit.uid)} to={index} />}
                <span className="ml-auto text-sm font-semibold text-ink tabular-nums">
                  {hit.score?.toFixed(3) ?? '—'}
                </span>
              </p>
              <p className="mt-0.5 line-clamp-4 text-sm whitespace-pre-wrap">
                <Said text={hit.content} />
              </p>
              <Why hit={hit} />
            </div>
          </div>
        </li>
      ))}
    </ol>
  );
}

function Why({ hit: { explanation } }: { readonly hit: Hit }) {
  if (!explanation) return null;
  if (explanation.parts.length === 0) {
    return <p className="mt-1 text-xs text-muted">A neighbour that another hit brought in.</p>;
  }
  return (
    <details className="mt-1.5">
      <summary className="list-none" aria-label="What the score is made of">
        <ScoreBar explanation={explanation} />
      </summary>
      <ScoreTable explanation={explanation} />
    </details>
  );
}
