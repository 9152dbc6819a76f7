import { useMutation, useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { answered, api, apiOnce, problemOf, type Wire } from '../api/loci.js';
import { newestQuery, speakerOf } from '../episodes/episodes.js';
import { useSetNames } from '../features/set-name.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Check, Field, Input, Select, TextArea } from '../ui/field.js';
import { Listed, Empty, Refused } from '../ui/states.js';
import { Said } from '../ui/said.js';
import { CallProblem, CallTexts } from './call-texts.js';

/** Newest messages to choose from. */
const SHOWN = 20;

interface TryPromptProps {
  readonly project: Project;
  readonly onClose: () => void;
}

/** What a prompt would make of stored messages: a model is asked, and nothing is written. */
export function TryPrompt({ project, onClose }: TryPromptProps) {
  const [set, setSet] = useState('');
  const [category, setCategory] = useState('profile');
  const [prompt, setPrompt] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const sets = useQuery(setsQuery(project));
  const nameOf = useSetNames();
  const setId = set || (sets.data?.[0] ?? '');
  const trying = useMutation({
    mutationFn: () =>
      answered(
        apiOnce.POST('/api/v2/ingestion/preview', {
          body: {
            ...named(project),
            set_id: setId,
            category_name: category,
            episode_ids: [...chosen],
            ...(prompt.trim() !== '' && { prompt }),
          },
        }),
      ),
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    trying.mutate();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      position="side"
      title="Try a prompt"
      description="The model of the set is asked, which costs tokens. Nothing is written."
    >
      <form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <Field label="Set" problem={problemOf(trying.error, 'set_id')}>
          {(control) => (
            <Select
              {...control}
              value={setId}
              options={(sets.data ?? []).map((id) => [id, nameOf(id) ?? id] as const)}
              onPick={setSet}
            />
          )}
        </Field>
        <Field label="Category" problem={problemOf(trying.error, 'category_name')}>
          {(control) => (
            <Input
              {...control}
              required
              value={category}
              onChange={(event) => setCategory(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Prompt"
          hint="Empty: that of the category. With one of your own the category need not exist."
          problem={problemOf(trying.error, 'prompt')}
        >
          {(control) => (
            <TextArea
              {...control}
              value={prompt}
              placeholder="Look for how the user likes to travel."
              onChange={(event) => setPrompt(event.target.value)}
            />
          )}
        </Field>
        <Messages project={project} chosen={chosen} onChoose={setChosen} />
        <Refused error={trying.error ?? sets.error} besides={['set_id', 'category_name', 'prompt']} />
        <div className="flex justify-end">
          <Button
            type="submit"
            look="primary"
            isBusy={trying.isPending}
            disabled={chosen.size === 0 || setId === ''}
          >
            Ask the model
          </Button>
        </div>
      </form>
      {trying.data && <Outcome preview={trying.data} />}
    </Dialog>
  );
}

const setsQuery = (project: Project) => ({
  queryKey: keyOf(project, 'set-ids'),
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<string[]> => {
    const body = { ...named(project), metadata_tags: [] };
    const [own, all] = await Promise.all([
      answered(api.POST('/api/v2/memories/semantic/set_id/get', { body, signal })),
      answered(api.POST('/api/v2/memories/semantic/set_id/list', { body: named(project), signal })),
    ]);
    return [...new Set([own.set_id, ...all.sets.map(({ id }) => id)])];
  },
});

interface MessagesProps {
  readonly project: Project;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** The newest messages, to be chosen. */
function Messages({ project, chosen, onChoose }: MessagesProps) {
  const newest = useQuery(newestQuery(project, SHOWN));
  const toggle = (uid: string, isChosen: boolean): void => {
    const others = [...chosen].filter((one) => one !== uid);
    onChoose(new Set(isChosen ? [...others, uid] : others));
  };
  return (
    <fieldset className="grid gap-1.5 rounded-md border border-line p-3">
      <legend className="px-1 text-xs font-medium text-soft">Messages, newest first</legend>
      <Listed of={newest} empty={<Empty title="No message is stored" />} loadingRows={2}>
        {(rows) =>
          rows.map((episode) => (
            <Check
              key={episode.uid}
              label={episode.content.slice(0, 200)}
              hint={speakerOf(episode)}
              checked={chosen.has(episode.uid)}
              onCheck={(isChosen) => toggle(episode.uid, isChosen)}
            />
          ))
        }
      </Listed>
    </fieldset>
  );
}

const TONES = { add: 'good', update: 'accent', remove: 'bad' } as const;

function Outcome({ preview }: { readonly preview: Wire['IngestionPreview'] }) {
  const { commands, changes, calls, input_tokens, output_tokens, cost, model } = preview;
  const refused = commands.flatMap(({ refused: why, tag, feature_name }, index) =>
    why === undefined ? [] : [{ key: index, text: `${tag} › ${feature_name}: ${why}` }],
  );
  return (
    <section aria-label="What it would learn" className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="text-sm font-semibold">What it would learn</h3>
      <p className="text-xs text-muted">
        {model}: {calls} {calls === 1 ? 'call' : 'calls'},{' '}
        {(input_tokens + output_tokens).toLocaleString('en')} tokens
        {cost === undefined ? '' : `, cost ${cost.toFixed(4)}`}
      </p>
      <CallProblem code={preview.code} reason={preview.reason} />
      {changes.length === 0 && <p className="text-sm text-muted">Nothing would change.</p>}
      <ul className="grid gap-2">
        {changes.map(({ action, before, after }, index) => (
          <li key={index} className="rounded-md border border-line px-3 py-2 text-sm">
            <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
              <Badge tone={TONES[action]}>{action}</Badge>
              <Said text={`${(after ?? before)?.tag ?? ''} › ${(after ?? before)?.feature_name ?? ''}`} />
            </p>
            {before && (
              <p className="mt-1 text-muted">
                <del>
                  <Said text={before.value} />
                </del>
              </p>
            )}
            {after && (
              <p className="mt-1">
                <Said text={after.value} />
              </p>
            )}
          </li>
        ))}
      </ul>
      {refused.map(({ key, text }) => (
        <p key={key} className="text-xs text-muted">
          Refused: <Said text={text} />
        </p>
      ))}
      <CallTexts prompt={preview.prompt} reply={preview.reply} is_cut={preview.is_cut} />
    </section>
  );
}
