import { LociError } from '@loci/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Brain, MessagesSquare } from 'lucide-react';
import { ForgetMatching } from '../episodes/forget-matching.js';
import { Trust } from '../features/origin.js';
import { toAddress } from '../features/sets-of.js';
import { type Project, useProject } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { Badge } from '../ui/badge.js';
import { buttonStyle } from '../ui/button.js';
import { linkStyle } from '../ui/link-style.js';
import { Page, Panel } from '../ui/page.js';
import { Empty, Failure, Listed, Loading } from '../ui/states.js';
import { When } from '../ui/when.js';
import { ExportButton } from './export-button.js';
import { type Group, useGroups } from './groups.js';
import { LookedThrough } from './looked-through.js';
import { linesOf, type ProfileLine } from './profile-lines.js';
import { aboutUser, forgottenWith, ofUser, outsideSessions, profileQuery, setsOfUser } from './users.js';
import { Said } from '../ui/said.js';
import { visible } from '../ui/visible.js';

const route = getRouteApi('/p/$org/$project/users/$user');

/** What is known of one user, and the way to make it forgotten. */
export function UserPage() {
  const project = useProject();
  const { user } = route.useParams();
  const { write } = useRights();
  return (
    <Page
      title={user}
      lead={`A user of ${project.org} / ${project.project}`}
      actions={
        <>
          <ExportButton project={project} episodes={ofUser(user)} user={user} name={user} />
          {write && (
            <ForgetMatching
              project={project}
              filter={ofUser(user).text}
              label={`Forget ${user}`}
              note={forgottenWith(user)}
            />
          )}
        </>
      }
    >
      <div className="flex flex-wrap gap-2">
        <Link
          to="/p/$org/$project/episodes"
          params={project}
          search={{ filter: ofUser(user).text }}
          className={buttonStyle()}
        >
          <MessagesSquare aria-hidden /> Messages
        </Link>
        <Link
          to="/p/$org/$project/features"
          params={project}
          search={{ filter: aboutUser(user).text, sets: toAddress(setsOfUser(user)) }}
          className={buttonStyle()}
        >
          <Brain aria-hidden /> Features
        </Link>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title="What is known" note="As an agent gets it">
          <Profile project={project} user={user} />
        </Panel>
        <Panel title="Sessions">
          <Sessions project={project} user={user} />
        </Panel>
      </div>
    </Page>
  );
}

interface OfUser {
  readonly project: Project;
  readonly user: string;
}

/** Nothing was learned of the user: the API takes that for a mistake in the name. */
const isUnknown = (error: unknown): boolean =>
  error instanceof LociError && error.problems.some(({ type }) => type === 'unknown_subject');

function Profile({ project, user }: OfUser) {
  const { data, error, refetch } = useQuery(profileQuery(project, user));
  if (isUnknown(error) || data?.categories.length === 0) {
    return <Empty title={`Nothing is known of ${visible(user)} yet`} />;
  }
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <div className="grid gap-4 p-4">
      {data.categories.map((category) => (
        <section key={category.name} className="grid gap-1">
          <h3 className="text-sm font-semibold">
            <Said text={category.name} />
          </h3>
          <ul className="grid gap-1 text-sm text-soft">
            {linesOf(category, data.citations).map((line, index) => (
              <li key={index}>
                {typeof line === 'string' ? <Said text={line} /> : <Line project={project} line={line} />}
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p className="text-xs text-muted">{data.tokens} tokens</p>
    </div>
  );
}

/** One thing that is known, with a link to what supports it. */
function Line({ project, line }: { readonly project: Project; readonly line: ProfileLine }) {
  const { id, tag, name, value, holds, isUntrusted } = line;
  return (
    <>
      {id === undefined ? (
        <Said text={name} />
      ) : (
        <Link
          to="/p/$org/$project/features"
          params={project}
          search={{ id }}
          className={linkStyle({ look: 'entry' })}
        >
          <Said text={name} />
        </Link>
      )}
      : <Said text={value} /> <span className="text-xs text-muted">{holds}</span>{' '}
      <Badge>
        <Said text={tag} />
      </Badge>{' '}
      {isUntrusted && <Trust trust="untrusted" />}
    </>
  );
}

function Sessions({ project, user }: OfUser) {
  const sessions = useGroups(project, { by: 'session', filter: ofUser(user).text });
  return (
    <>
      <Listed of={sessions} empty={<Empty title={`${visible(user)} has said nothing here`} />}>
        {(groups) => <SessionList project={project} user={user} groups={groups} />}
      </Listed>
      <LookedThrough of={sessions} />
    </>
  );
}

function SessionList({ project, user, groups }: OfUser & { readonly groups: readonly Group[] }) {
  return (
    <ul className="divide-y divide-line">
      {groups.map(({ name: id, episodes: messages, last_at: to }) => (
        <li key={id}>
          <Link
            {...(id === ''
              ? {
                  to: '/p/$org/$project/episodes',
                  params: project,
                  search: { filter: outsideSessions(user).text },
                }
              : { to: '/p/$org/$project/sessions/$session', params: { ...project, session: id } })}
            className="flex items-baseline gap-3 px-4 py-2 text-sm hover:bg-sunken"
          >
            <span className="min-w-0 flex-1 truncate font-medium">
              {id === '' ? 'without a session' : visible(id)}
            </span>
            <span className="text-muted tabular-nums">
              {messages === 1 ? '1 message' : `${messages} messages`}
            </span>
            <span className="text-xs text-muted">
              <When at={to} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
