import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { answered, api, problemOf } from '../api/loci.js';
import { useSession } from '../session/session.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Field, Input } from '../ui/field.js';
import { Refused } from '../ui/states.js';
import { projectsQuery } from './project.js';

/** A button that asks for names and makes a project. */
export function CreateProject() {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const [org, setOrg] = useState(session.org_id ?? 'universal');
  const [project, setProject] = useState(session.project_id ?? '');
  const [description, setDescription] = useState('');
  const client = useQueryClient();
  const navigate = useNavigate();
  const creating = useMutation({
    mutationFn: () =>
      answered(api.POST('/api/v2/projects', { body: { org_id: org, project_id: project, description } })),
    onSuccess: async () => {
      await client.invalidateQueries(projectsQuery);
      await navigate({ to: '/p/$org/$project/episodes', params: { org, project } });
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> New project
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="New project">
        <form onSubmit={submit} className="grid gap-3">
          <Field label="Organization" problem={problemOf(creating.error, 'org_id')}>
            {(control) => (
              <Input
                {...control}
                required
                disabled={session.org_id !== null}
                value={org}
                onChange={(event) => setOrg(event.target.value)}
              />
            )}
          </Field>
          <Field label="Project" problem={problemOf(creating.error, 'project_id')}>
            {(control) => (
              <Input
                {...control}
                required
                value={project}
                onChange={(event) => setProject(event.target.value)}
              />
            )}
          </Field>
          <Field label="Description">
            {(control) => (
              <Input
                {...control}
                value={description}
                onChange={(event) => setDescription(event.target.value)}
              />
            )}
          </Field>
          <Refused error={creating.error} />
          <Button type="submit" look="primary" className="justify-self-end" isBusy={creating.isPending}>
            Create
          </Button>
        </form>
      </Dialog>
    </>
  );
}
