import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answered, api } from '../api/loci.js';
import { keyOf, named, noteProject, type Project, projectsQuery } from '../projects/project.js';
import { useRights, useSession } from '../session/session.js';
import { Button, buttonStyle } from '../ui/button.js';
import { Said } from '../ui/said.js';
import { Refused } from '../ui/states.js';
import { SAMPLE } from './sample.js';

/** Stores a short conversation, and leads to where it is seen and found. */
export function StoreSample({ project }: { readonly project: Project }) {
  const { read, write } = useRights();
  const client = useQueryClient();
  const storing = useMutation({
    mutationFn: () =>
      answered(api.POST('/api/v2/memories', { body: { ...named(project), messages: [...SAMPLE] } })),
    onSuccess: async () => {
      noteProject(project);
      await client.invalidateQueries(projectsQuery);
      await client.invalidateQueries({ queryKey: keyOf(project) });
    },
  });
  const { producer } = useSession();
  if (!write) return <p className="text-sm text-muted">Your key reads only: it stores nothing.</p>;
  if (producer !== null) {
    return (
      <p className="text-sm text-muted">
        Your key speaks for <Said text={producer} /> alone: it stores nothing that others say.
      </p>
    );
  }
  return (
    <div className="grid gap-3">
      <p className="text-sm text-muted">
        {SAMPLE.length} messages of two users who talk with a travel agent. A project that is not there is
        made.
      </p>
      <Refused error={storing.error} />
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary" isBusy={storing.isPending} onClick={() => storing.mutate()}>
          Store the sample
        </Button>
        {storing.data && (
          <>
            <span role="status" className="text-sm text-good">
              {storing.data.results.length} messages are stored, and found at once.
            </span>
            {read && (
              <>
                <Link to="/p/$org/$project/episodes" params={project} className={buttonStyle()}>
                  See them
                </Link>
                <Link
                  to="/p/$org/$project/search"
                  params={project}
                  search={{ q: 'Where does Alice like to sit?', a: {} }}
                  className={buttonStyle()}
                >
                  Search them
                </Link>
              </>
            )}
          </>
        )}
      </div>
    </div>
  );
}
