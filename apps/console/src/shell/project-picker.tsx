import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { noteProject, type Project, projectsQuery } from '../projects/project.js';

const SEPARATOR = '\n';

/** Of more projects than these the others are found by their names. */
const LISTED = 200;

const OTHERS = '';

interface ProjectPickerProps {
  readonly current: Project;
  /** Finds a project by its name. */
  readonly onSearch: () => void;
}

/** Chooses the project that the views below it are about. */
export function ProjectPicker({ current, onSearch }: ProjectPickerProps) {
  const { data = [] } = useQuery(projectsQuery);
  const navigate = useNavigate();
  const here = useParams({ strict: false });
  const projects = new Map([
    [valueOf(current), current],
    ...data.slice(0, LISTED).map(({ org_id, project_id }) => {
      const project = { org: org_id, project: project_id };
      return [valueOf(project), project] as const;
    }),
  ]);
  const pick = (value: string): void => {
    if (value === OTHERS) onSearch();
    const project = projects.get(value);
    if (!project) return;
    noteProject(project);
    void navigate({
      to: viewAfter(here),
      params: { org: project.org, project: project.project },
      search: {},
    });
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
      {data.length > LISTED && (
        <option value={OTHERS}>Find another of {data.length.toLocaleString('en')}…</option>
      )}
    </select>
  );
}

interface Here {
  readonly org?: string;
  readonly user?: string;
  readonly session?: string;
}

/** The same view of the other project, unless it is about a user or a session: another one may have that name there. */
function viewAfter({ org, user, session }: Here) {
  if (org === undefined) return '/p/$org/$project/episodes';
  return user === undefined && session === undefined ? '.' : '/p/$org/$project/users';
}

const valueOf = ({ org, project }: Project): string => org + SEPARATOR + project;
