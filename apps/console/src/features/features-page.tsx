import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { filterProblemOf } from '../api/loci.js';
import { without } from '../api/search-params.js';
import { FilterBar } from '../filter/filter-bar.js';
import { type FilterVocabulary } from '../filter/filter-language.js';
import { type Project, useProject } from '../projects/project.js';
import { buttonStyle } from '../ui/button.js';
import { Select } from '../ui/field.js';
import { Page } from '../ui/page.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { FeatureDetails } from './feature-details.js';
import { counted, featureRows } from './feature-groups.js';
import { FeatureList } from './feature-list.js';
import { type Feature, featuresQuery, VALIDITIES } from './features.js';
import { Facets } from './facets.js';
import { Proposals } from './proposals.js';
import { fromAddress, SetsOf, toAddress } from './sets-of.js';

const route = getRouteApi('/p/$org/$project/features');

/** What is known, by set, category and tag. */
export function FeaturesPage() {
  const project = useProject();
  const { filter = '', id, validity: asked, sets = '' } = route.useSearch();
  const validity = VALIDITIES.find((one) => one === asked) ?? 'current';
  const navigate = route.useNavigate();
  const asking = useInfiniteQuery(featuresQuery(project, { filter, validity, sets: fromAddress(sets) }));
  const { data, error, refetch, hasNextPage } = asking;
  const features = useMemo(() => data?.pages.flatMap((page) => page.features) ?? [], [data]);
  const rows = useMemo(() => featureRows(features), [features]);
  const isWhole = filter === '' && validity === 'current' && sets === '';
  const problem = filterProblemOf(error);
  const isRefused = problem !== undefined;
  const where = `${project.org} / ${project.project}`;
  const show = (wanted: { filter?: string; validity?: string; sets?: string }): void =>
    void navigate({ search: addressOf({ filter, validity, sets, ...wanted }) });
  const setFilter = (text: string): void => show({ filter: text });
  return (
    <Page isFull title="Features" lead={isRefused ? where : leadOf(where, data?.pages[0]?.total, isWhole)}>
      <FilterBar filter={filter} vocabulary={vocabularyOf(features)} problem={problem} onFilter={setFilter}>
        <Select
          aria-label="Which features"
          className="w-auto"
          value={validity}
          options={VALIDITIES}
          onPick={(picked) => show({ validity: picked })}
        />
      </FilterBar>
      <SetsOf metadata={fromAddress(sets)} onPick={(metadata) => show({ sets: toAddress(metadata) })} />
      <Proposals project={project} />
      {hasNextPage && (
        <p role="status" className="text-sm text-warn">
          The figures below are of the first {features.length.toLocaleString('en')}. More come at the end of
          the list.
        </p>
      )}
      <Facets features={features} onPick={setFilter} />
      {!data ? (
        isRefused ? null : error ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading rows={8} />
        )
      ) : features.length === 0 ? (
        <Empty title={isWhole ? 'Nothing is known yet' : 'No feature matches'}>
          {isWhole && <NotYet project={project} />}
        </Empty>
      ) : (
        <FeatureList
          rows={rows}
          askedAt={asking.dataUpdatedAt}
          onOpen={({ metadata }) => void navigate({ search: (now) => ({ ...now, id: metadata.id }) })}
          onEnd={() => void (hasNextPage && !asking.isFetching && !error && asking.fetchNextPage())}
        />
      )}
      {data && error && <Failure error={error} onRetry={() => void askAgain(asking)} />}
      {id !== undefined && (
        <FeatureDetails
          project={project}
          id={id}
          onClose={() => void navigate({ search: (now) => without(now, 'id') })}
        />
      )}
    </Page>
  );
}

/** What is loaded stays: what failed is asked for, the next page or all of it. */
const askAgain = (asking: UseInfiniteQueryResult): Promise<unknown> =>
  asking.isFetchNextPageError ? asking.fetchNextPage() : asking.refetch();

/** @param count undefined while it is not known */
function leadOf(where: string, count: number | undefined, isWhole: boolean): string {
  const features = `${count?.toLocaleString('en') ?? '…'} ${count === 1 ? 'feature' : 'features'}`;
  return isWhole
    ? `What ${where} knows: ${features}, each with what supports it.`
    : `${where} · ${features} ${count === 1 ? 'matches' : 'match'}`;
}

/** Learning takes a while: whoever comes meanwhile is told where to see how far it is. */
const NotYet = ({ project }: { readonly project: Project }) => (
  <>
    <p>A language model learns features from messages, a while after they are added.</p>
    <Link to="/p/$org/$project/ingestion" params={project} className={buttonStyle()}>
      What waits, and why
    </Link>
  </>
);

interface Address {
  readonly filter: string;
  readonly validity: string;
  readonly sets: string;
}

const addressOf = ({ filter, validity, sets }: Address) => ({
  ...(filter !== '' && { filter }),
  ...(validity !== 'current' && { validity }),
  ...(sets !== '' && { sets }),
});

const FIELDS = [
  ['category', 'topic of the set'],
  ['tag', 'group in the category'],
  ['feature_name', 'what it is called'],
  ['value', 'what it says'],
  ['subject', 'whom it is about'],
  ['trust', 'protected, trusted or untrusted'],
  ['set_id', 'id of the set'],
  ['valid_from', "since when it holds: valid_from >= date('2026-05-01')"],
  ['valid_until', 'until when it holds'],
] as const;

/** Fields of which few values are in use. */
const COMPLETED = ['category', 'tag', 'feature_name', 'subject', 'set_id', 'trust'] as const;

const vocabularyOf = (features: readonly Feature[]): FilterVocabulary => ({
  fields: FIELDS,
  example: "tag='travel' AND subject='alice'",
  values: new Map(
    COMPLETED.map((field) => [
      field,
      new Set(counted(features.map((feature) => feature[field] ?? '')).map(([value]) => value)),
    ]),
  ),
});
