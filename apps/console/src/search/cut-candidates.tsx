import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Wire } from '../api/loci.js';
import { episodesQuery } from '../episodes/episodes.js';
import { type Project } from '../projects/project.js';
import { Said } from '../ui/said.js';
import { REASONS } from './parts.js';

const SHOWN = 20;

interface CutCandidatesProps {
  readonly project: Project;
  readonly cut: readonly Wire['CutCandidate'][];
}

/** The best of what was found and is not among the hits, and why. */
export function CutCandidates({ project, cut }: CutCandidatesProps) {
  const shown = cut.slice(0, SHOWN);
  const { data = [] } = useQuery(
    episodesQuery(
      project,
      shown.map(({ uid }) => uid),
    ),
  );
  const texts = new Map(data.map(({ uid, content }) => [uid, content]));
  if (cut.length === 0) return null;
  return (
    <details className="border-t border-line px-4 py-2">
      <summary className="text-sm font-medium">{cut.length} more candidates, cut</summary>
      <ul className="mt-2 grid gap-2">
        {shown.map(({ uid, score, reason }) => (
          <li key={uid} className="flex gap-3 text-sm">
            <span className="w-12 shrink-0 text-muted tabular-nums">{score.toFixed(3)}</span>
            <span className="min-w-0 flex-1">
              <Link
                to="/p/$org/$project/episodes"
                params={project}
                search={{ uid }}
                className="line-clamp-2 underline-offset-2 hover:underline"
              >
                <Said text={texts.get(uid) ?? uid} />
              </Link>
              <span className="text-xs text-muted">{REASONS[reason]}</span>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
