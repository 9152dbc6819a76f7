import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { answered, api, type Wire } from '../api/loci.js';
import { CitedMessages } from '../features/cited-messages.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { linkStyle } from '../ui/link-style.js';
import { Panel } from '../ui/page.js';
import { PartOf } from '../ui/part-of.js';
import { Empty, Listed, Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { When } from '../ui/when.js';
import { deadLettersQuery } from './ingestion.js';
import { CALLS } from './model-calls.js';
import { Said } from '../ui/said.js';

type Letter = Wire['IngestionDeadLetter'];

/** Whether the caller may replay or drop a letter: not who speaks for one producer; one of the organization takes its administrator. */
function useMayChange(): (letter: Letter) => boolean {
  const { settings, organizationChange } = useRights();
  return ({ is_org_level }) => settings && (organizationChange || !is_org_level);
}

/** What is tried again in vain comes back, perhaps before its number was seen to change. */
const LOOK_AGAIN_MS = [2000, 5000, 15_000];

/** Looks at what a replay has come to, at once and later. */
function useLookAgain(project: Project): () => Promise<void> {
  const client = useQueryClient();
  const queryKey = keyOf(project);
  return () => {
    for (const ms of LOOK_AGAIN_MS) setTimeout(() => void client.invalidateQueries({ queryKey }), ms);
    return client.invalidateQueries({ queryKey });
  };
}

interface DeadLettersProps {
  readonly project: Project;
  /** How many there are now; undefined while it is not known. */
  readonly count: number | undefined;
}

/** Messages that ingestion has given up on: why, and what to do about it. */
export function DeadLetters({ project, count }: DeadLettersProps) {
  const letters = useQuery(deadLettersQuery(project, count));
  const mayChange = useMayChange();
  const lookAgain = useLookAgain(project);
  const replaying = useMutation({
    mutationFn: () => answered(api.POST('/api/v2/ingestion/dead-letters/replay', { body: named(project) })),
    onSuccess: ({ replayed }) => {
      say(`${countOf(replayed, 'dead letter')} tried again.`);
      return lookAgain();
    },
  });
  return (
    <Panel
      title="Dead letters"
      actions={
        (letters.data?.rows ?? []).filter(mayChange).length > 1 && (
          <Button size="small" isBusy={replaying.isPending} onClick={() => replaying.mutate()}>
            Replay all
          </Button>
        )
      }
    >
      <Refused error={replaying.error} />
      <Listed
        of={{ ...letters, data: letters.data?.rows }}
        empty={<Empty title="Ingestion has given up on nothing" />}
        loadingRows={2}
      >
        {(rows) => (
          <ul className="divide-y divide-line">
            {rows.map((letter) => (
              <DeadLetter key={letter.id} project={project} letter={letter} />
            ))}
          </ul>
        )}
      </Listed>
      <PartOf shown={letters.data?.rows.length ?? 0} total={letters.data?.total ?? 0} what="dead letters" />
    </Panel>
  );
}

const countOf = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

interface DeadLetterProps {
  readonly project: Project;
  readonly letter: Letter;
}

function DeadLetter({ project, letter }: DeadLetterProps) {
  const mayChange = useMayChange()(letter);
  const client = useQueryClient();
  const lookAgain = useLookAgain(project);
  const path = { id: letter.id };
  const replaying = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/api/v2/ingestion/dead-letters/{id}/replay', { params: { path }, body: named(project) }),
      ),
    onSuccess: () => {
      say('It is tried again.');
      return lookAgain();
    },
  });
  const dropping = useMutation({
    mutationFn: () =>
      answered(
        api.DELETE('/api/v2/ingestion/dead-letters/{id}', { params: { path, query: named(project) } }),
      ),
    onSuccess: async () => {
      say('It is dropped.');
      await client.invalidateQueries({ queryKey: keyOf(project) });
    },
  });
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1 text-sm">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone="bad">{letter.code}</Badge>
            <span className="font-medium">
              <Said text={letter.category} />
            </span>
            <span className="text-xs text-muted">
              {countOf(letter.episode_ids.length, 'message')}, {countOf(letter.failures, 'attempt')},{' '}
              <When at={letter.at} />
            </span>
          </p>
          <p className="mt-1 whitespace-pre-wrap text-soft">
            <Said text={letter.reason} />
          </p>
        </div>
        {mayChange && (
          <div className="flex basis-full flex-wrap items-start gap-2 sm:basis-auto">
            <Button size="small" isBusy={replaying.isPending} onClick={() => replaying.mutate()}>
              <RotateCw aria-hidden /> Replay
            </Button>
            <Confirm
              action="Drop"
              size="small"
              consequence="Nothing will be learned from these messages in this category. They stay."
              isBusy={dropping.isPending}
              onConfirm={() => dropping.mutate()}
            />
          </div>
        )}
      </div>
      {letter.commands.map(({ command, tag, feature, reason }, index) => (
        <p key={index} className="text-xs text-muted">
          <Said text={`${command ? `${command} ` : ''}${tag} › ${feature}: ${reason}`} />
        </p>
      ))}
      <Link
        to="/p/$org/$project/ingestion"
        params={project}
        search={{ set: letter.set_id, outcome: 'failed' }}
        hash={CALLS}
        className={linkStyle({
          className: 'inline-flex min-h-[24px] items-center justify-self-start text-xs',
        })}
      >
        Calls of models that failed for this set
      </Link>
      <details>
        <summary className="text-xs text-muted">Messages</summary>
        <div className="mt-2">
          <CitedMessages project={project} uids={letter.episode_ids} />
        </div>
      </details>
      <Refused error={replaying.error ?? dropping.error} />
    </li>
  );
}
