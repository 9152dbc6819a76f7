import { filterLiteral, withHeaders } from '@loci/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answered, api, totalOf, type Wire } from '../api/loci.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { type SetMetadata } from './sets-of.js';

/** Something that is known. */
export type Feature = Wire['SemanticFeature'];

const PAGE_SIZE = 200;

/** Which features are listed, by whether they hold. */
export const VALIDITIES = ['current', 'ended', 'expired', 'all'] as const;
export type FeatureValidity = (typeof VALIDITIES)[number];

/** Which features are listed. */
export interface WantedFeatures {
  readonly filter: string;
  readonly validity: FeatureValidity;
  /** Beside the sets of the project and the organization: those of these metadata. */
  readonly sets: SetMetadata;
}

/** The features that match, oldest first, page by page. */
export const featuresQuery = (project: Project, { filter, validity, sets }: WantedFeatures) =>
  infiniteQueryOptions({
    queryKey: keyOf(project, 'features', filter, validity, sets),
    queryFn: async ({ signal, pageParam: cursor }) => {
      const body = {
        ...named(project),
        type: 'semantic' as const,
        page_size: PAGE_SIZE,
        cursor,
        validity,
        set_metadata: sets,
        ...(filter !== '' && { filter }),
      };
      const { data, headers } = await withHeaders(api.POST('/api/v2/memories/list', { body, signal }));
      return {
        features: data.content.semantic_memory ?? [],
        total: totalOf(headers),
        next: headers.get('x-next-cursor') ?? undefined,
      };
    },
    meta: { isSaidBeside: true },
    // the empty one begins
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

/** A feature with the messages that it cites. */
export const featureQuery = (project: Project, id: string) =>
  queryOptions({
    queryKey: keyOf(project, 'feature', id),
    queryFn: ({ signal }) =>
      answered(
        api.POST('/api/v2/memories/semantic/feature/get', {
          body: { ...named(project), feature_id: id, load_citations: true },
          signal,
        }),
      ),
  });

/** What a feature took over from: at most twenty, oldest first. */
export const supersededQuery = (project: Project, id: string) =>
  queryOptions({
    queryKey: keyOf(project, 'feature', id, 'superseded'),
    queryFn: async ({ signal }) => {
      const body = {
        ...named(project),
        type: 'semantic' as const,
        filter: `superseded_by = ${filterLiteral(id)}`,
        validity: 'all' as const,
        page_size: 20,
      };
      const { content } = await answered(api.POST('/api/v2/memories/list', { body, signal }));
      return content.semantic_memory ?? [];
    },
  });

/** What happened to a feature, newest first. */
export const historyQuery = (project: Project, id: string) =>
  queryOptions({
    queryKey: keyOf(project, 'feature', id, 'history'),
    queryFn: async ({ signal }) => {
      const changes: Wire['FeatureChange'][] = [];
      let cursor: string | null = null;
      do {
        const body: Wire['FeatureHistorySpec'] = { ...named(project), feature_id: id, cursor };
        const asked = api.POST('/api/v2/memories/semantic/feature/history', { body, signal });
        const { data, headers } = await withHeaders(asked);
        changes.push(...data.changes);
        cursor = headers.get('x-next-cursor');
      } while (cursor !== null);
      return { changes };
    },
  });

/** Each is shown with what speaks for it; the next come when these are decided. */
const PROPOSALS_SHOWN = 20;

/** Changes that a language model asked for and may not make by itself. */
export const proposalsQuery = (project: Project) =>
  queryOptions({
    queryKey: keyOf(project, 'proposals'),
    queryFn: async ({ signal }) => {
      const body = { ...named(project), page_size: PROPOSALS_SHOWN };
      const { data, headers } = await withHeaders(
        api.POST('/api/v2/memories/semantic/proposal/list', { body, signal }),
      );
      return { rows: data.proposals, total: totalOf(headers, data.proposals) };
    },
  });
