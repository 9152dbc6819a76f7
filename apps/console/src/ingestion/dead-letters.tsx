import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw, Trash2 } from 'lucide-react';
import { answered, api, type Wire } from '../api/loci.js';
import { CitedMessages } from '../features/cited-messages.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Panel } from '../ui/page.js';
import { Empty, Listed, Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { When } from '../ui/when.js';
import { deadLettersQuery } from './ingestion.js';

/** Messages that ingestion has given up on: why, and what to do about it. */
export function DeadLetters({ project }: { readonly project: Project }) {
  const letters = useQuery(deadLettersQuery(project));
  const { write } = useRights();
  const client = useQueryClient();
  const replaying = useMutation({
    mutationFn: () => answered(api.POST('/api/v2/ingestion/dead-letters/replay', { body: named(project) })),
    onSuccess: async ({ replayed }) => {
      say(`${replayed} dead letters are tried again.`);
      await client.invalidateQueries({ queryKey: keyOf(project) });
    },
  });
  return (
    <Panel
      title="Dead letters"
      actions={
        write &&
        (letters.data?.length ?? 0) > 1 && (
          <Button size="small" isBusy={replaying.isPending} onClick={() => replaying.mutate()}>
            Replay all
          </Button>
        )
      }
    >
      <Refused error={replaying.error} />
      <Listed of={letters} empty={<Empty title="Ingestion has given up on nothing" />} loadingRows={2}>
        {(rows) => (
          <ul className="divide-y divide-line">
            {rows.map((letter) => (
              <DeadLetter key={letter.id} project={project} letter={letter} />
            ))}
          </ul>
        )}
      </Listed>
    </Panel>
  );
}

interface DeadLetterProps {
  readonly project: Project;
  readonly letter: Wire['IngestionDeadLetter'];
}

function DeadLetter({ project, letter }: DeadLetterProps) {
  const { write } = useRights();
  const client = useQueryClient();
  const path = { id: letter.id };
  const settled = (said: string) => async (): Promise<void> => {
    say(said);
    await client.invalidateQueries({ queryKey: keyOf(project) });
  };
  const replaying = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/api/v2/ingestion/dead-letters/{id}/replay', { params: { path }, body: named(project) }),
      ),
    onSuccess: settled('It is tried again.'),
  });
  const dropping = useMutation({
    mutationFn: () =>
      answered(
        api.DELETE('/api/v2/ingestion/dead-letters/{id}', { params: { path, query: named(project) } }),
      ),
    onSuccess: settled('It is dropped: nothing will be learned from these messages in this category.'),
  });
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1 text-sm">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone="bad">{letter.code}</Badge>
            <span className="font-medium">{letter.category}</span>
            <span className="text-xs text-muted">
              {letter.episode_ids.length} messages, {letter.failures} attempts, <When at={letter.at} />
            </span>
          </p>
          <p className="mt-1 break-words whitespace-pre-wrap text-soft">{letter.reason}</p>
        </div>
        {write && (
          <div className="flex gap-2">
            <Button size="small" isBusy={replaying.isPending} onClick={() => replaying.mutate()}>
              <RotateCw aria-hidden /> Replay
            </Button>
            <Button size="small" isBusy={dropping.isPending} onClick={() => dropping.mutate()}>
              <Trash2 aria-hidden /> Drop
            </Button>
          </div>
        )}
      </div>
      {letter.commands.map(({ command, tag, feature, reason }, index) => (
        <p key={index} className="text-xs break-words text-muted">
          {command} {tag} › {feature}: {reason}
        </p>
      ))}
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
