import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { hasCode } from '../api/failures.js';
import { answered, api, filterProblemOf, type Wire } from '../api/loci.js';
import { FilterProblem } from '../filter/filter-field.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { Bar } from '../ui/bar.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Field, Input } from '../ui/field.js';
import { Failure, Loading, Refused } from '../ui/states.js';
import { Said } from '../ui/said.js';

interface ForgetMatchingProps {
  readonly project: Project;
  readonly filter: string;
  /** What the button says. */
  readonly label: string;
  /** What else goes or stays, in a sentence or two. */
  readonly note?: string;
  /** There is nothing to delete: the button is not offered, and how far a deletion is stays in sight. */
  readonly isEmpty?: boolean;
}

/** Deletes every message that matches: first it says how many, then it asks for that number. */
export function ForgetMatching({ project, filter, label, note, isEmpty = false }: ForgetMatchingProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {!isEmpty && (
        <Button look="danger" className="max-w-full" onClick={() => setOpen(true)}>
          <Trash2 aria-hidden />{' '}
          <span className="truncate">
            <Said text={label} />
          </span>
        </Button>
      )}
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={label}
        description={
          <>
            The messages go for good, with what was learned from them alone.{' '}
            {note !== undefined && <Said text={note} />}
          </>
        }
      >
        <Preview project={project} filter={filter} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface PreviewProps {
  readonly project: Project;
  readonly filter: string;
  readonly onClose: () => void;
}

function Preview({ project, filter, onClose }: PreviewProps) {
  const body = { ...named(project), filter };
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const previewed = queryOptions({
    // not below the project: a deletion that is under way need not be previewed again and again
    queryKey: ['forget-preview', project, filter],
    queryFn: ({ signal }) => answered(api.POST('/api/v2/memories/forget/preview', { body, signal })),
    staleTime: 0,
    gcTime: 0,
  });
  const preview = useQuery(previewed);
  const forgetting = useMutation({
    mutationFn: (expected_matching: number | undefined) =>
      answered(
        api.POST('/api/v2/memories/forget', {
          body: { ...body, ...(expected_matching !== undefined && { expected_matching }) },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(project) }),
    onError: (error) =>
      hasCode(error, 'matching_changed') ? client.invalidateQueries(previewed) : undefined,
  });
  const problem = filterProblemOf(preview.error);
  if (problem !== undefined) return <RefusedFilter filter={filter} problem={problem} />;
  if (preview.error) return <Failure error={preview.error} onRetry={() => void preview.refetch()} />;
  if (forgetting.data) return <Progress project={project} job={forgetting.data} onClose={onClose} />;
  if (!preview.data) return <Loading rows={2} />;
  const { matching, at_least: isAtLeast = false, features } = preview.data;
  if (matching === 0 && !isAtLeast) return <p>No message matches.</p>;
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        forgetting.mutate(isAtLeast ? undefined : matching);
      }}
    >
      <p>
        {isAtLeast && 'At least '}
        <strong className="tabular-nums">{matching.toLocaleString('en')}</strong>{' '}
        {matching === 1 ? 'message matches' : 'messages match'} now{alsoOf(features)}:
      </p>
      <Matched filter={filter} />
      <Field label={`To delete them, type ${matching}`}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <Refused error={forgetting.error} />
      <Button
        type="submit"
        look="danger"
        className="justify-self-end"
        disabled={typed.trim() !== String(matching)}
        isBusy={forgetting.isPending}
      >
        Delete {isAtLeast ? 'all that match' : matching.toLocaleString('en')}
      </Button>
    </form>
  );
}

/** @param features null where they were not counted */
function alsoOf(features: number | null): string {
  if (features === null || features === 0) return '';
  const [count, are] =
    features === 1 ? ['1 feature', 'is'] : [`${features.toLocaleString('en')} features`, 'are'];
  return `, and ${count} ${are} learned from them alone`;
}

const Matched = ({ filter }: { readonly filter: string }) => (
  <code className="rounded bg-sunken p-2 font-mono text-xs break-all">{filter}</code>
);

interface RefusedFilterProps {
  readonly filter: string;
  readonly problem: string;
}

/** Not every filter of a list is one of messages that can be deleted. */
const RefusedFilter = ({ filter, problem }: RefusedFilterProps) => (
  <div className="grid gap-2">
    <Matched filter={filter} />
    <FilterProblem problem={problem} />
  </div>
);

const NOTES: Readonly<Record<Wire['ForgetJob']['state'], string>> = {
  deleting: 'It goes on when this is closed, and whatever is restarted.',
  purging: 'No message is left; the last vectors are being removed. It goes on when this is closed.',
  done: 'Nothing of them is left.',
};

interface ProgressProps {
  readonly project: Project;
  readonly job: Wire['ForgetJob'];
  readonly onClose: () => void;
}

function Progress({ project, job, onClose }: ProgressProps) {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ['forget-job', job.id],
    queryFn: async ({ signal }) => {
      const query = named(project);
      const params = { path: { id: job.id }, query };
      const latest = await answered(api.GET('/api/v2/memories/forget/{id}', { params, signal }));
      return latest;
    },
    initialData: job,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : 1000),
  });
  const { state } = data;
  useEffect(() => {
    if (state !== 'deleting') void client.invalidateQueries({ queryKey: keyOf(project) });
  }, [client, project, state]);
  return (
    <div className="grid gap-4">
      <p role="status">
        {state === 'deleting' ? 'Deleting' : 'Deleted'}:{' '}
        <strong className="tabular-nums">
          {data.deleted.toLocaleString('en')} of {data.matching.toLocaleString('en')}
        </strong>
      </p>
      <Bar
        role="progressbar"
        label="Deleted"
        value={data.deleted}
        max={Math.max(1, data.matching, data.deleted)}
      />
      <p className="text-sm text-muted">{data.error ?? NOTES[state]}</p>
      <Button className="justify-self-end" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
