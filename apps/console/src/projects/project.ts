import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, useParams } from '@tanstack/react-router';
import { answered, api, type Wire } from '../api/loci.js';
import { useRights } from '../session/session.js';

/** An organization and a project of it. */
export interface Project {
  readonly org: string;
  readonly project: string;
}

const route = getRouteApi('/p/$org/$project');

/** The project of the view. */
export function useProject(): Project {
  const { org, project } = route.useParams();
  return { org, project };
}

/** The fields by which a request names its project. */
export const named = ({ org, project }: Project): Wire['ProjectName'] => ({
  org_id: org,
  project_id: project,
});

/** The address below which its views are. */
export const pathOf = ({ org, project }: Project): string =>
  `/p/${encodeURIComponent(org)}/${encodeURIComponent(project)}`;

/** What is remembered of a project, by the view that asked. */
export const keyOf = ({ org, project }: Project, ...rest: readonly unknown[]): readonly unknown[] => [
  'project',
  org,
  project,
  ...rest,
];

const RECENT = 'loci-project';

/** The project of the view, or the one that was looked at last. */
export function useCurrentProject(): Project | undefined {
  const { org, project } = useParams({ strict: false });
  const { read } = useRights();
  const { data = [] } = useQuery({ ...projectsQuery, enabled: read });
  if (org !== undefined && project !== undefined) return { org, project };
  const recent = localStorage.getItem(RECENT);
  const found = data.find((one) => `${one.org_id}/${one.project_id}` === recent) ?? data[0];
  return found && { org: found.org_id, project: found.project_id };
}

/** Views that are about no project lead back to this one. */
export const noteProject = ({ org, project }: Project): void =>
  localStorage.setItem(RECENT, `${org}/${project}`);

/** Every project that the caller may see. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => answered(api.POST('/api/v2/projects/list', { signal })),
});

/** What the project is for, and which models it uses. */
export const projectQuery = (project: Project) =>
  queryOptions({
    queryKey: keyOf(project, 'project'),
    queryFn: ({ signal }) => answered(api.POST('/api/v2/projects/get', { body: named(project), signal })),
  });

export const countQuery = (project: Project) =>
  queryOptions({
    queryKey: keyOf(project, 'count'),
    queryFn: ({ signal }) =>
      answered(api.POST('/api/v2/projects/episode_count/get', { body: named(project), signal })),
  });

export const indexQuery = (project: Project) =>
  queryOptions({
    queryKey: keyOf(project, 'index'),
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v2/projects/index', { params: { query: named(project) }, signal })),
  });

/** The answers of `indexQuery` for all projects. */
export const EVERY_INDEX: {
  readonly predicate: (query: { readonly queryKey: readonly unknown[] }) => boolean;
} = {
  predicate: ({ queryKey: [first, , , last] }) => first === 'project' && last === 'index',
};
