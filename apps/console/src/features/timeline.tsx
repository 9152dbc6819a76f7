import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { answered, api, type Wire } from '../api/loci.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Failure, Loading, Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { When } from '../ui/when.js';
import { historyQuery } from './features.js';
import { Origin } from './origin.js';
import { Validity } from './validity.js';

const ACTIONS = {
  add: ['good', 'believed'],
  update: ['accent', 'changed'],
  remove: ['bad', 'removed'],
} as const;

/** When a fact was said, believed and superseded: each change with the messages that brought it about. */
export function Timeline({ project, id }: { readonly project: Project; readonly id: string }) {
  const { data, error, refetch } = useQuery(historyQuery(project, id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={3} />;
  return (
    <ol className="grid gap-4 border-l-2 border-line pl-4">
      {data.changes.map((change, index) => (
        <Change key={change.change_id} project={project} id={id} change={change} canUndo={index === 0} />
      ))}
    </ol>
  );
}

const periodOf = (state: Wire['FeatureState'] | null): string =>
  `${state?.valid_from ?? ''}/${state?.valid_until ?? ''}`;

interface ChangeProps {
  readonly project: Project;
  readonly id: string;
  readonly change: Wire['FeatureChange'];
  /** Only the newest change is undone here. */
  readonly canUndo: boolean;
}

function Change({ project, id, change, canUndo }: ChangeProps) {
  const { write } = useRights();
  const client = useQueryClient();
  const [tone, verb] = ACTIONS[change.action];
  const undoing = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/api/v2/memories/semantic/feature/undo', {
          body: { ...named(project), feature_id: id, change_id: change.change_id },
        }),
      ),
    onSuccess: async () => {
      say('The feature says again what it said before.');
      await client.invalidateQueries({ queryKey: keyOf(project) });
    },
  });
  const cause = {
    kind: change.origin,
    ...(change.author && { author: change.author }),
    ...(change.model !== null && { model: change.model }),
  };
  return (
    <li className="grid gap-1.5 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{verb}</Badge>
        <When at={change.at} isExact />
        <span className="text-xs">
          <Origin origin={cause} />
        </span>
      </p>
      {change.before && change.before.value !== change.after?.value && (
        <p className="break-words text-muted">
          <del>{change.before.value}</del>
        </p>
      )}
      {change.after && <p className="break-words">{change.after.value}</p>}
      {change.after && periodOf(change.after) !== periodOf(change.before) && (
        <p className="text-xs text-muted">
          Holds <Validity of={change.after} />
        </p>
      )}
      {change.episodes.length > 0 && (
        <p className="flex flex-wrap gap-x-3 text-xs">
          {change.episodes.slice(0, 8).map((uid, index) => (
            <Link
              key={uid}
              to="/p/$org/$project/episodes"
              params={project}
              search={{ uid }}
              className="text-accent underline underline-offset-2"
            >
              message {index + 1}
            </Link>
          ))}
        </p>
      )}
      {write && canUndo && (
        <Button
          size="small"
          className="justify-self-start"
          isBusy={undoing.isPending}
          onClick={() => undoing.mutate()}
        >
          <Undo2 aria-hidden /> Undo
        </Button>
      )}
      <Refused error={undoing.error} />
    </li>
  );
}
