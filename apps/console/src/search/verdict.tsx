import { useQuery } from '@tanstack/react-query';
import { hasCode } from '../api/failures.js';
import { type Wire } from '../api/loci.js';
import { episodesQuery } from '../episodes/episodes.js';
import { featureQuery } from '../features/features.js';
import { type Project } from '../projects/project.js';
import { type Fate, fateOf, REASONS } from './parts.js';

interface VerdictProps {
  readonly project: Project;
  readonly expected: string;
  readonly content: Wire['SearchResultContent'];
}

/** Why an expected memory is there, or is not. */
export function Verdict({ project, expected, content }: VerdictProps) {
  if (expected === '') return null;
  const fate = fateOf(expected, content);
  return (
    <p role="status" className="border-b border-line bg-sunken px-4 py-2 text-sm">
      Expected memory: {fate ? sentenceOf(fate) : <NotFound project={project} id={expected} />}
    </p>
  );
}

function sentenceOf(fate: Fate): string {
  switch (fate.kind) {
    case 'hit':
    case 'feature':
      return `It is ${fate.kind} ${fate.rank}, with a score of ${fate.score.toFixed(3)}.`;
    case 'recent':
      return 'It is among the newest messages, which short-term memory answers whatever the query is.';
    case 'cut':
      return `Found with a score of ${fate.score.toFixed(3)}, but ${REASONS[fate.reason]}.`;
  }
}

/** How ids of memories are written; what is still being typed is none. */
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Says of a memory that an answer lacks whether it is there at all. */
function NotFound({ project, id }: { readonly project: Project; readonly id: string }) {
  const isId = ID.test(id);
  const episodes = useQuery({ ...episodesQuery(project, [id]), enabled: isId });
  const feature = useQuery({ ...featureQuery(project, id), enabled: isId });
  if (!isId) return 'That is no id of a memory.';
  if (episodes.data?.length) {
    return 'It is a message. Neither its meaning nor its words brought it among the candidates, or the filter does not match it.';
  }
  if (feature.data) {
    return 'It is a feature. As many as “Hits” asks for fit better, or its score is below “Least score”, or the filter does not match it, or it does not hold any more, or it is of a user: only sets of the project and its organization are searched here.';
  }
  if (episodes.isPending || feature.isPending) return 'It is not in the answer.';
  return !episodes.error && hasCode(feature.error, 'feature_not_found')
    ? 'There is no such memory in this project.'
    : 'It is not in the answer. Whether there is such a memory could not be asked.';
}
