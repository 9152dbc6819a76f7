import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { answered, api, type Wire } from '../api/loci.js';
import { type Episode, episodesQuery, speakerOf } from '../episodes/episodes.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { linkStyle } from '../ui/link-style.js';
import { Failure, Loading, Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { When } from '../ui/when.js';
import { historyQuery } from './features.js';
import { useMayChange } from './may-change.js';
import { Origin } from './origin.js';
import { hasEnded, SupersededBy, Validity } from './validity.js';
import { Said } from '../ui/said.js';

const ACTIONS = {
  add: ['good', 'believed'],
  update: ['accent', 'changed'],
  remove: ['bad', 'removed'],
} as const;

const SUPERSEDED = ['warn', 'superseded'] as const;
const ENDED = ['warn', 'ended'] as const;

/** What a change comes to: one that names what took over, or that it holds no more, says so. */
function comesTo({ action, before, after }: Wire['FeatureChange']) {
  if (after && isSuperseded(after) && !(before && isSuperseded(before))) return SUPERSEDED;
  if (after && hasEnded(after) && !(before && hasEnded(before))) return ENDED;
  return ACTIONS[action];
}

const isSuperseded = ({ superseded_by }: Wire['FeatureState']): boolean => superseded_by !== undefined;

interface TimelineProps {
  readonly project: Project;
  readonly id: string;
  /** The set that has it; undefined of what is gone. */
  readonly set: string | undefined;
}

/** When a fact was said, believed and superseded: each change with the messages that brought it about. */
export function Timeline({ project, id, set }: TimelineProps) {
  const mayChange = useMayChange(project);
  const { data, error, refetch } = useQuery(historyQuery(project, id));
  const uids = [
    ...new Set((data?.changes ?? []).flatMap((change) => messagesOf(change).slice(0, SHOWN))),
  ].slice(0, LOOKED_UP);
  const messages = useQuery(episodesQuery(project, uids));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={3} />;
  return (
    <ol className="grid gap-4 border-l-2 border-line pl-4">
      {data.changes.map((change, index) => (
        <Change
          key={change.change_id}
          project={project}
          id={id}
          change={change}
          messages={messages.data ?? []}
          canUndo={
            index === 0 &&
            statesOf(change).every((state) =>
              mayChange({ ...state, set_id: set, user: state.metadata['user_id'] }),
            )
          }
        />
      ))}
    </ol>
  );
}

/** Messages that one change names, and that are looked up for all of them: more are counted, not shown. */
const SHOWN = 8;
const LOOKED_UP = 100;

const statesOf = ({ before, after }: Wire['FeatureChange']): readonly Wire['FeatureState'][] =>
  [before, after].filter((state) => state !== null);

/** Those that support what it came to and did not before; where there are none, all that were read for it. */
function messagesOf({ before, after, episodes }: Wire['FeatureChange']): readonly string[] {
  const former = new Set(before?.citations);
  const cited = (after?.citations ?? []).filter((uid) => !former.has(uid));
  return cited.length > 0 ? cited : episodes;
}

const periodOf = (state: Wire['FeatureState'] | null): string =>
  `${state?.valid_from ?? ''}/${state?.valid_until ?? ''}`;

interface ChangeProps {
  readonly project: Project;
  readonly id: string;
  readonly change: Wire['FeatureChange'];
  /** Of all changes, as far as they are there. */
  readonly messages: readonly Episode[];
  /** Only the newest change is undone here, by those who may. */
  readonly canUndo: boolean;
}

function Change({ project, id, change, messages, canUndo }: ChangeProps) {
  const client = useQueryClient();
  const [tone, verb] = comesTo(change);
  const said = messagesOf(change);
  const undoing = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/api/v2/memories/semantic/feature/undo', {
          body: { ...named(project), feature_id: id, change_id: change.change_id },
        }),
      ),
    onSuccess: async () => {
      say(change.before ? 'The feature says again what it said before.' : 'The feature is gone again.');
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
        <p className="text-muted">
          <del>
            <Said text={change.before.value} />
          </del>
        </p>
      )}
      {change.after && (
        <p>
          <Said text={change.after.value} />
        </p>
      )}
      {change.after && periodOf(change.after) !== periodOf(change.before) && (
        <p className="text-xs text-muted">
          Holds <Validity of={change.after} />
        </p>
      )}
      {change.after && isSuperseded(change.after) && (
        <p className="text-xs text-muted">
          Superseded by <SupersededBy project={project} id={change.after.superseded_by} />
        </p>
      )}
      {said.length > 0 && (
        <ul className="grid gap-0.5 text-xs">
          {said.slice(0, SHOWN).map((uid, index) => (
            <li key={uid}>
              <Saying
                project={project}
                uid={uid}
                number={index + 1}
                message={messages.find((one) => one.uid === uid)}
              />
            </li>
          ))}
          {said.length > SHOWN && <li className="text-muted">and {said.length - SHOWN} more</li>}
        </ul>
      )}
      {canUndo && (
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

interface SayingProps {
  readonly project: Project;
  readonly uid: string;
  readonly number: number;
  /** Absent while it is on its way, and when it was deleted. */
  readonly message: Episode | undefined;
}

/** Leads to a message, and says when it was said, and by whom. */
const Saying = ({ project, uid, number, message }: SayingProps) => (
  <Link
    to="/p/$org/$project/episodes"
    params={project}
    search={{ uid, ...(message && { at: message.created_at }) }}
    className={linkStyle({ className: 'inline-flex min-h-[24px] items-center' })}
  >
    {message ? (
      <span>
        said by {speakerOf(message)}, <When at={message.created_at} isExact />
      </span>
    ) : (
      `message ${number}`
    )}
  </Link>
);
