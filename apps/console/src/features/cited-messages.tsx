import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { episodesQuery, speakerOf } from '../episodes/episodes.js';
import { type Project } from '../projects/project.js';
import { Failure, Loading } from '../ui/states.js';
import { When } from '../ui/when.js';
import { Said } from '../ui/said.js';

/** More are counted, not shown. */
const SHOWN = 20;

/** The messages that support something; each leads to where it was said. */
export function CitedMessages({
  project,
  uids,
}: {
  readonly project: Project;
  readonly uids: readonly string[];
}) {
  const { data, error, isPending } = useQuery(episodesQuery(project, uids.slice(0, SHOWN)));
  if (uids.length === 0) return <p className="text-sm text-muted">It cites no message.</p>;
  if (error) return <Failure error={error} />;
  if (isPending) return <Loading rows={2} />;
  const gone = Math.min(uids.length, SHOWN) - data.length;
  return (
    <ul className="grid gap-2">
      {data.map((episode) => (
        <li key={episode.uid}>
          <Link
            to="/p/$org/$project/episodes"
            params={project}
            search={{ uid: episode.uid, at: episode.created_at }}
            className="block rounded-md border border-line px-3 py-2 hover:bg-sunken"
          >
            <span className="flex gap-2 text-xs text-muted">
              <span className="font-medium text-soft">{speakerOf(episode)}</span>
              <When at={episode.created_at} isExact />
            </span>
            <span className="mt-0.5 line-clamp-3 text-sm">
              <Said text={episode.content} />
            </span>
          </Link>
        </li>
      ))}
      {gone > 0 && <li className="text-xs text-muted">{gone} more cited, deleted since.</li>}
      {uids.length > SHOWN && <li className="text-xs text-muted">and {uids.length - SHOWN} more</li>}
    </ul>
  );
}
