import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answered, api } from '../api/loci.js';
import { keyOf, named, type Project } from './project.js';

/** What a project remembers of messages, and for how long. */
export const episodicSettingsQuery = (project: Project) =>
  queryOptions({
    queryKey: keyOf(project, 'episodic-settings'),
    queryFn: ({ signal }) =>
      answered(api.POST('/api/v2/memory/episodic/config/get', { body: named(project), signal })),
  });

/** What a project learns from messages, whom it trusts, and which calls of models it keeps. */
export const semanticSettingsQuery = (project: Project) =>
  queryOptions({
    queryKey: keyOf(project, 'semantic-settings'),
    queryFn: ({ signal }) =>
      answered(api.POST('/api/v2/memory/semantic/config/get', { body: named(project), signal })),
  });

/** Changes a project, and asks again for all that is shown of it. */
export function useProjectChange<Answer>(project: Project, send: () => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send(),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(project) }),
  });
}
