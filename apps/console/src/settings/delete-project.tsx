import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { answered, api, type Wire } from '../api/loci.js';
import { keysQuery } from '../keys/keys.js';
import { countInWords } from '../projects/counted.js';
import { countQuery, indexQuery, keyOf, named, type Project, projectsQuery } from '../projects/project.js';
import { useSession } from '../session/session.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Field, Input } from '../ui/field.js';
import { Facts, Panel } from '../ui/page.js';
import { Failure, Loading, Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { visible } from '../ui/visible.js';
import { webhooksQuery } from '../webhooks/webhooks.js';

interface OfProject {
  readonly project: Project;
}

/** Deletes a project with everything in it, once its name was typed. */
export function DeleteProject({ project }: OfProject) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title="Delete this project" note="For good">
      <div className="grid gap-3 p-4 text-sm">
        <p>
          Its messages, what was learned from them, its settings, keys and webhooks go. Other projects keep
          what is theirs.
        </p>
        <Button look="danger" className="justify-self-end" onClick={() => setOpen(true)}>
          <Trash2 aria-hidden /> Delete this project
        </Button>
      </div>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Delete this project"
        description="It is gone for all readers and writers at once; its data are erased behind that. It cannot be undone."
      >
        <Preview project={project} />
      </Dialog>
    </Panel>
  );
}

type Bound = Pick<Wire['ApiKey'], 'org_id' | 'project_id'>;

const isOf =
  ({ org, project }: Project) =>
  ({ org_id, project_id }: Bound): boolean =>
    org_id === org && project_id === project;

/** @param all how many there are, of which these need not be all */
function countOf(project: Project, rows: readonly Bound[], all: number): string {
  const count = rows.filter(isOf(project)).length.toLocaleString('en');
  return all > rows.length ? `${count} at least` : count;
}

function Preview({ project }: OfProject) {
  const count = useQuery({ ...countQuery(project), staleTime: 0 });
  const index = useQuery(indexQuery(project));
  const keys = useQuery(keysQuery);
  const webhooks = useQuery(webhooksQuery(0));
  const failed = [count, index, keys, webhooks].find(({ error }) => error !== null);
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!count.data || !index.data || !keys.data || !webhooks.data) return <Loading rows={3} />;
  const entries: readonly (readonly [string, ReactNode])[] = [
    ['Messages', countInWords(count.data)],
    [
      'Features',
      `${index.data.features.features.toLocaleString('en')}, but not those of the organization that other projects support`,
    ],
    ['Keys that are bound to it', countOf(project, keys.data.rows, keys.data.total)],
    ['Webhooks of it', countOf(project, webhooks.data.webhooks, webhooks.data.total)],
  ];
  return <NameForm project={project} entries={entries} />;
}

interface NameFormProps extends OfProject {
  readonly entries: readonly (readonly [string, ReactNode])[];
}

function NameForm({ project, entries }: NameFormProps) {
  const session = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const name = visible(project.project);
  const deleting = useMutation({
    mutationFn: () => answered(api.POST('/api/v2/projects/delete', { body: named(project) })),
    onSuccess: async () => {
      await navigate({ to: '/projects' });
      client.removeQueries({ queryKey: keyOf(project) });
      say(`${project.org} / ${project.project} is deleted.`);
      return client.invalidateQueries(projectsQuery);
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    deleting.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Facts entries={entries} />
      {isOf(project)(session) && (
        <p className="text-sm text-warn">Your own key is bound to it: you are signed out with it.</p>
      )}
      <Field label={`To delete it, type ${name}`}>
        {(control) => <Input {...control} value={typed} onChange={(event) => setTyped(event.target.value)} />}
      </Field>
      <Refused error={deleting.error} />
      <Button
        type="submit"
        look="danger"
        className="max-w-full justify-self-end"
        // what cannot be seen in a name cannot be typed
        disabled={![name, project.project].includes(typed.trim())}
        isBusy={deleting.isPending}
      >
        Delete for good
      </Button>
    </form>
  );
}
