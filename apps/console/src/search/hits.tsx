import { Link } from '@tanstack/react-router';
import { type Wire } from '../api/loci.js';
import { speakerOf } from '../episodes/episodes.js';
import { type Project } from '../projects/project.js';
import { When } from '../ui/when.js';
import { RankedMemory, SOURCE_LINK } from './ranked-memory.js';
import { Why } from './why.js';

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
        <RankedMemory
          key={hit.uid}
          id={hit.uid}
          index={index}
          others={others}
          isExpected={hit.uid === expected}
          score={hit.score ?? undefined}
          text={hit.content}
          source={
            <>
              <Link
                to="/p/$org/$project/episodes"
                params={project}
                search={{ uid: hit.uid, at: hit.created_at }}
                className={SOURCE_LINK}
              >
                {speakerOf(hit)}
              </Link>
              <When at={hit.created_at} isExact />
            </>
          }
        >
          <WhyHit hit={hit} />
        </RankedMemory>
      ))}
    </ol>
  );
}

/** Scores reach about so far when everything speaks for a hit. */
const WIDEST_SUM = 2;

function WhyHit({ hit: { explanation } }: { readonly hit: Hit }) {
  if (!explanation) return null;
  if (explanation.parts.length === 0) {
    return <p className="mt-1 text-xs text-muted">A neighbour that another hit brought in.</p>;
  }
  return <Why explanation={explanation} widest={WIDEST_SUM} />;
}
