import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { healthQuery } from '../api/health.js';
import { backlogOf, jobsQuery, sum, usageQuery } from '../ingestion/ingestion.js';
import { Status } from '../models/probe-outcome.js';
import { KIND_NAMES } from '../models/providers.js';
import { resourcesQuery } from '../models/resources.js';
import { countInWords } from '../projects/counted.js';
import { countQuery, type Project, projectsQuery, useCurrentProject } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { Badge } from '../ui/badge.js';
import { buttonStyle } from '../ui/button.js';
import { linkStyle } from '../ui/link-style.js';
import { Page, Panel, Stat } from '../ui/page.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { When } from '../ui/when.js';
import { LatestEvents } from './latest-events.js';
import { QuotasUsed } from './quotas-used.js';
import { Traffic } from './traffic.js';
import { Said } from '../ui/said.js';

const HEALTH_MS = 5000;

/** What Loci is doing. */
export function OverviewPage() {
  const rights = useRights();
  const project = useCurrentProject();
  return (
    <Page title="Overview" lead="What Loci is doing now." actions={<HealthBadge />}>
      {rights.everything && <Traffic />}
      {project && rights.read ? (
        <OfProject project={project} />
      ) : (
        <Panel>{rights.read ? <NoProject /> : <NothingToRead />}</Panel>
      )}
      {project && rights.organization && rights.read && <QuotasUsed org={project.org} />}
      {rights.read && <LatestEvents />}
      {rights.deployment && <ModelStates />}
    </Page>
  );
}

/** Why no project is shown: none is there, or none is known. */
function NoProject() {
  const { data, error, refetch } = useQuery(projectsQuery);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={2} />;
  return (
    <Empty title="No project yet">
      <Link to="/start" className={buttonStyle({ look: 'primary' })}>
        Get started
      </Link>
    </Empty>
  );
}

const NothingToRead = () => (
  <Empty title="Your key does not read">
    <p>It adds and changes; what is stored is not shown to it.</p>
    <Link to="/start" className={buttonStyle({ look: 'primary' })}>
      Get started
    </Link>
  </Empty>
);

function HealthBadge() {
  const { data, error } = useQuery({ ...healthQuery, refetchInterval: HEALTH_MS });
  if (error) return <Badge tone="bad">not well: {error.message}</Badge>;
  return data ? <Badge tone="good">all is well · {data.version}</Badge> : null;
}

function OfProject({ project }: { readonly project: Project }) {
  const count = useQuery({ ...countQuery(project), refetchInterval: HEALTH_MS });
  const jobs = useQuery(jobsQuery(project));
  const usage = useQuery(usageQuery(project));
  const { rows: sets = [], total = 0 } = jobs.data ?? {};
  const backlog = backlogOf(jobs.data?.rows, count.data);
  const unknown = jobs.data && !backlog ? 'not known yet' : undefined;
  const partly = total > sets.length ? `in ${sets.length.toLocaleString('en')} sets` : undefined;
  const tokens = sum(
    (usage.data ?? []).map(({ input_tokens, output_tokens }) => input_tokens + output_tokens),
  );
  const costs = (usage.data ?? []).flatMap(({ cost }) => cost ?? []);
  return (
    <section aria-label={`${project.org} / ${project.project}`} className="grid gap-3">
      <h2 className="flex items-baseline gap-3 text-sm font-semibold">
        <Said text={`${project.org} / ${project.project}`} />
        <Link
          to="/p/$org/$project/ingestion"
          params={project}
          className={linkStyle({ className: 'text-xs font-normal' })}
        >
          Ingestion
        </Link>
      </h2>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-5">
        <Stat label="Messages" value={count.data ? countInWords(count.data) : '…'} />
        <Stat
          label="Wait to be learned from"
          value={backlog?.waiting.toLocaleString('en') ?? '…'}
          note={
            backlog?.oldestAt === undefined ? (
              (unknown ?? partly ?? (backlog && 'nothing waits'))
            ) : (
              <>
                oldest <When at={backlog.oldestAt} />
              </>
            )
          }
        />
        <Stat
          label="Sets that run"
          value={backlog?.running ?? '…'}
          note={backlog ? `${backlog.blocked} blocked or retrying` : unknown}
        />
        <Stat label="Dead letters" value={backlog?.deadLetters ?? '…'} note={unknown ?? partly} />
        <Stat
          label="Tokens in two weeks"
          value={usage.data ? tokens.toLocaleString('en') : '…'}
          note={usage.data && (tokens === 0 ? 'no model was called' : costOf(costs))}
        />
      </div>
    </section>
  );
}

const costOf = (costs: readonly number[]): string =>
  costs.length > 0 ? `cost ${sum(costs).toFixed(2)}` : 'no prices are set';

function ModelStates() {
  const { data, error, refetch } = useQuery({ ...resourcesQuery, staleTime: 300_000 });
  return (
    <Panel title="Models">
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading rows={2} />
      ) : (
        <ul className="divide-y divide-line">
          {KIND_NAMES.flatMap((kind) =>
            data[kind].map(({ name, provider, status, error: problem }) => (
              <li
                key={`${kind} ${name}`}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm"
              >
                <Link
                  to="/models"
                  search={{ kind, name }}
                  className="font-medium underline-offset-2 hover:underline"
                >
                  {name}
                </Link>
                <span className="min-w-0 flex-1 text-muted">{provider}</span>
                <Status status={status} />
                {problem !== null && (
                  <p className="basis-full text-xs text-bad">
                    <Said text={problem} />
                  </p>
                )}
              </li>
            )),
          )}
        </ul>
      )}
    </Panel>
  );
}
