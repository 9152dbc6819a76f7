import { withHeaders } from '@loci/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answered, api, totalOf, type Wire } from '../api/loci.js';
import { type Counted, isNone } from '../projects/counted.js';
import { keyOf, named, type Project } from '../projects/project.js';

const LIVE_MS = 3000;

/** A list, and how many there are of its kind. */
const withTotal = <Row>({ data, headers }: { readonly data: readonly Row[]; readonly headers: Headers }) => ({
  rows: data,
  total: totalOf(headers, data),
});

/** The state of ingestion, set by set, as it goes on. */
export const jobsQuery = (project: Project) =>
  queryOptions({
    queryKey: keyOf(project, 'jobs'),
    queryFn: async ({ signal }) => {
      const query = { ...named(project), page_size: 1000 };
      return withTotal(await withHeaders(api.GET('/api/v2/ingestion/jobs', { params: { query }, signal })));
    },
    refetchInterval: LIVE_MS,
  });

/**
 * What ingestion has given up on. Who reads it is in the audit: it is asked for again when there are more of them or fewer.
 * @param count how many there are; undefined while it is not known
 */
export const deadLettersQuery = (project: Project, count: number | undefined) =>
  queryOptions({
    queryKey: keyOf(project, 'dead-letters', count),
    queryFn: async ({ signal }) => {
      const params = { query: { ...named(project), page_size: 200 } };
      return withTotal(await withHeaders(api.GET('/api/v2/ingestion/dead-letters', { params, signal })));
    },
    // as many as once before need not be the same ones, and those that were replayed must not be seen again
    staleTime: 0,
    gcTime: 0,
    enabled: count !== undefined,
    placeholderData: keepPreviousData,
  });

export type CallOutcome = Wire['ModelCall']['outcome'];

/** Which calls of models are listed; what is empty is any. */
export interface WantedCalls {
  readonly set: string;
  readonly outcome: CallOutcome | '';
  /** From 0. */
  readonly page: number;
}

export const CALL_OUTCOMES = ['succeeded', 'failed'] as const satisfies readonly CallOutcome[];

/** The outcome that a text names; empty for any. */
export const outcomeIn = (text: string | undefined): CallOutcome | '' =>
  CALL_OUTCOMES.find((outcome) => outcome === text) ?? '';

/** Which calls an address wants, which anybody can write; people count pages from 1. */
export const callsFrom = ({
  set = '',
  outcome,
  page,
}: {
  readonly set?: string | undefined;
  readonly outcome?: string | undefined;
  readonly page?: string | undefined;
}): WantedCalls => ({
  set,
  outcome: outcomeIn(outcome),
  page: /^[1-9]\d{0,5}$/.test(page ?? '') ? Number(page) - 1 : 0,
});

/** What an address says of the calls that it wants. */
export const callsAddress = ({ set, outcome, page }: WantedCalls) => ({
  set: set || undefined,
  outcome: outcome || undefined,
  page: page === 0 ? undefined : String(page + 1),
});

export const CALLS_PER_PAGE = 50;

/** What ingestion asked models, newest first. */
export const callsQuery = (project: Project, { set, outcome, page }: WantedCalls) =>
  queryOptions({
    queryKey: keyOf(project, 'calls', set, outcome, page),
    queryFn: async ({ signal }) => {
      const query = {
        ...named(project),
        page_size: CALLS_PER_PAGE,
        page_num: page,
        ...(set !== '' && { set_id: set }),
        ...(outcome !== '' && { outcome }),
      };
      const { data, headers } = await withHeaders(
        api.GET('/api/v2/ingestion/calls', { params: { query }, signal }),
      );
      return { calls: data, total: totalOf(headers) };
    },
    refetchInterval: page === 0 ? LIVE_MS : false,
  });

/** A call with what the model was shown and replied. */
export const callQuery = (project: Project, id: string) =>
  queryOptions({
    queryKey: keyOf(project, 'call', id),
    queryFn: ({ signal }) =>
      answered(
        api.GET('/api/v2/ingestion/calls/{id}', {
          params: { path: { id }, query: named(project) },
          signal,
        }),
      ),
  });

/** Calls and tokens by day and model, of the last two weeks. */
export const usageQuery = (project: Project) =>
  queryOptions({
    queryKey: keyOf(project, 'usage'),
    queryFn: ({ signal }) =>
      answered(
        api.GET('/api/v2/ingestion/usage', { params: { query: { ...named(project), days: 14 } }, signal }),
      ),
    staleTime: 300_000,
  });

/** What the jobs of a project come to. */
interface Backlog {
  readonly waiting: number;
  readonly oldestAt: string | undefined;
  readonly running: number;
  readonly blocked: number;
  readonly deadLetters: number;
}

/**
 * @param jobs undefined while they are loaded
 * @param messages of the project; undefined while they are counted
 * @returns undefined while it is not known: workers name a set when they have read its first message
 */
export function backlogOf(
  jobs: readonly Wire['IngestionJob'][] | undefined,
  messages: Counted | undefined,
): Backlog | undefined {
  if (!jobs || (jobs.length === 0 && !isNone(messages))) return undefined;
  return {
    waiting: sum(jobs.map(({ waiting }) => waiting)),
    oldestAt: jobs
      .flatMap(({ oldest_at }) => oldest_at ?? [])
      .sort()
      .at(0),
    running: jobs.filter(({ state }) => state === 'running').length,
    blocked: jobs.filter(({ state }) => state === 'blocked' || state === 'retrying').length,
    deadLetters: sum(jobs.map(({ dead_letters }) => dead_letters)),
  };
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
