import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { noteProject, type Project, projectsQuery } from '../projects/project.js';

const SEPARATOR = '\n';

/** Chooses the project that the views below it are about. */
export function ProjectPicker({ current }: { readonly current: Project }) {
  const { data = [] } = useQuery(projectsQuery);
  const navigate = useNavigate();
  const { org } = useParams({ strict: false });
  const projects = new Map([
    [valueOf(current), current],
    ...data.map(({ org_id, project_id }) => {
      const project = { org: org_id, project: project_id };
      return [valueOf(project), project] as const;
    }),
  ]);
  const pick = (value: string): void => {
    const project = projects.get(value);
    if (!project) return;
    noteProject(project);
    const to = org === undefined ? '/p/$org/$project/episodes' : '.';
    void navigate({ to, params: { org: project.org, project: project.project }, search: {} });
  };
  return (
    <select
      aria-label="Project"
      value={valueOf(current)}
      onChange={(event) => pick(event.target.value)}
      className="h-8 w-full min-w-0 truncate rounded-md border border-edge/60 bg-surface px-2 text-sm font-medium"
    >
      {[...projects].map(([value, { org: orgId, project }]) => (
        <option key={value} value={value}>
          {orgId} / {project}
        </option>
      ))}
    </select>
  );
}

const valueOf = ({ org, project }: Project): string => org + SEPARATOR + project;
