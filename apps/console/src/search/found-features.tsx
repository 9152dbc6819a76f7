import { Link } from '@tanstack/react-router';
import { type Feature } from '../features/features.js';
import { Trust } from '../features/origin.js';
import { type Project } from '../projects/project.js';
import { cn } from '../ui/cn.js';
import { Said } from '../ui/said.js';
import { Move } from './move.js';
import { Strength } from './score-bar.js';

interface FoundFeaturesProps {
  readonly project: Project;
  readonly features: readonly Feature[];
  /** The ids of the features of the other settings, best first. */
  readonly others?: readonly string[] | undefined;
  readonly expected: string;
}

/** Features that fit a query, best first; of their scores Loci tells no parts. */
export function FoundFeatures({ project, features, others, expected }: FoundFeaturesProps) {
  if (features.length === 0) return null;
  return (
    <section className="border-t border-line pt-2">
      <h3 className="px-4 text-sm font-medium">Features</h3>
      <ol aria-label="Features" className="divide-y divide-line">
        {features.map(({ metadata: { id }, tag, feature_name, value, trust, score }, index) => (
          <li
            key={id}
            className={cn('flex items-start gap-3 px-4 py-3', id === expected && 'bg-accent-wash')}
          >
            <span className="w-5 shrink-0 text-right text-sm text-muted tabular-nums">{index + 1}</span>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
                <Link
                  to="/p/$org/$project/features"
                  params={project}
                  search={{ id }}
                  className="line-clamp-2 font-medium text-soft underline-offset-2 hover:underline"
                >
                  <Said text={`${tag} › ${feature_name}`} />
                </Link>
                <Trust trust={trust} />
                {others && <Move from={others.indexOf(id)} to={index} />}
                <span className="ml-auto text-sm font-semibold text-ink tabular-nums">
                  {score?.toFixed(3) ?? '—'}
                </span>
              </p>
              <p className="mt-0.5 line-clamp-4 text-sm whitespace-pre-wrap">
                <Said text={value} />
              </p>
              {score !== undefined && <Strength score={score} />}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
