import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answered, api, problemOf } from '../api/loci.js';
import { useSession } from '../session/session.js';
import { Create } from '../ui/create.js';
import { Field, Input } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { projectsQuery } from './project.js';

/** A button that asks for names and makes a project. */
export const CreateProject = () => <Create title="New project">{() => <ProjectForm />}</Create>;

function ProjectForm() {
  const session = useSession();
  const [org, setOrg] = useState(session.org_id ?? 'universal');
  const [project, setProject] = useState('');
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
  return (
    <Form action="Create" sending={creating} besides={['org_id', 'project_id']}>
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
          <Input {...control} required value={project} onChange={(event) => setProject(event.target.value)} />
        )}
      </Field>
      <Field label="Description">
        {(control) => (
          <Input {...control} value={description} onChange={(event) => setDescription(event.target.value)} />
        )}
      </Field>
    </Form>
  );
}
