import { Link } from '@tanstack/react-router';
import { type Feature } from '../features/features.js';
import { Trust } from '../features/origin.js';
import { type Project } from '../projects/project.js';
import { Said } from '../ui/said.js';
import { RankedMemory, SOURCE_LINK } from './ranked-memory.js';
import { Why } from './why.js';

interface FoundFeaturesProps {
  readonly project: Project;
  readonly features: readonly Feature[];
  /** The ids of the features of the other settings, best first. */
  readonly others?: readonly string[] | undefined;
  readonly expected: string;
}

/** The most that meaning and words are together. */
const WIDEST_SUM = 1;

/** Features that fit a query, best first, each with what its score is made of. */
export function FoundFeatures({ project, features, others, expected }: FoundFeaturesProps) {
  if (features.length === 0) return null;
  return (
    <section className="border-t border-line pt-2">
      <h3 className="px-4 text-sm font-medium">Features</h3>
      <ol aria-label="Features" className="divide-y divide-line">
        {features.map(({ metadata: { id }, tag, feature_name, value, trust, score, explanation }, index) => (
          <RankedMemory
            key={id}
            id={id}
            index={index}
            others={others}
            isExpected={id === expected}
            score={score}
            text={value}
            source={
              <>
                <Link to="/p/$org/$project/features" params={project} search={{ id }} className={SOURCE_LINK}>
                  <Said text={`${tag} › ${feature_name}`} />
                </Link>
                <Trust trust={trust} />
              </>
            }
          >
            {explanation && <Why explanation={explanation} widest={WIDEST_SUM} />}
          </RankedMemory>
        ))}
      </ol>
    </section>
  );
}
