import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Brain, Download, MessagesSquare } from 'lucide-react';
import { ForgetMatching } from '../episodes/forget-matching.js';
import { type Project, useProject } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { Button, buttonStyle } from '../ui/button.js';
import { Page, Panel } from '../ui/page.js';
import { Empty, Failure, Loading, Refused } from '../ui/states.js';
import { When } from '../ui/when.js';
import { aboutUser, exportUser, filterOfSession, ofUser, profileQuery, sessionsQuery } from './users.js';

const route = getRouteApi('/p/$org/$project/users/$user');

/** What is known of one user, and the way to make it forgotten. */
export function UserPage() {
  const project = useProject();
  const { user } = route.useParams();
  const { write } = useRights();
  const exporting = useMutation({
    mutationFn: () => exportUser(project, user),
    onSuccess: (lines) => save(lines, `${user}.jsonl`),
  });
  return (
    <Page
      title={user}
      lead={`A user of ${project.org} / ${project.project}`}
      actions={
        <>
          <Button isBusy={exporting.isPending} onClick={() => exporting.mutate()}>
            <Download aria-hidden /> Export
          </Button>
          {write && <ForgetMatching project={project} filter={ofUser(user).text} label={`Forget ${user}`} />}
        </>
      }
    >
      <Refused error={exporting.error} />
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
          search={{ filter: aboutUser(user).text }}
          className={buttonStyle()}
        >
          <Brain aria-hidden /> Features
        </Link>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title="Profile" note="As an agent gets it">
          <Profile project={project} user={user} />
        </Panel>
        <Panel title="Sessions" note="Of their newest thousand messages">
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

function Profile({ project, user }: OfUser) {
  const { data, error, refetch } = useQuery(profileQuery(project, user));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (data.categories.length === 0) return <Empty title={`Nothing is known of ${user} yet`} />;
  return (
    <div className="grid gap-4 p-4">
      {data.categories.map(({ name, text }) => (
        <section key={name} className="grid gap-1">
          <h3 className="text-sm font-semibold">{name}</h3>
          <p className="text-sm break-words whitespace-pre-wrap text-soft">{text}</p>
        </section>
      ))}
      <p className="text-xs text-muted">{data.tokens} tokens</p>
    </div>
  );
}

function Sessions({ project, user }: OfUser) {
  const { data, error, refetch } = useQuery(sessionsQuery(project, user));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (data.length === 0) return <Empty title={`${user} has said nothing here`} />;
  return (
    <ul className="divide-y divide-line">
      {data.map(({ id, messages, to }) => (
        <li key={id}>
          <Link
            to="/p/$org/$project/episodes"
            params={project}
            search={{ filter: filterOfSession(user, id) }}
            className="flex items-baseline gap-3 px-4 py-2 text-sm hover:bg-sunken"
          >
            <span className="min-w-0 flex-1 truncate font-medium">{id || 'without a session'}</span>
            <span className="text-muted tabular-nums">{messages} messages</span>
            <span className="text-xs text-muted">
              <When at={to} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
