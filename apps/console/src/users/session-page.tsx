import { getRouteApi, Link } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { ForgetMatching } from '../episodes/forget-matching.js';
import { useProject } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { buttonStyle } from '../ui/button.js';
import { Page, Panel } from '../ui/page.js';
import { Empty, Listed } from '../ui/states.js';
import { When } from '../ui/when.js';
import { ExportButton } from './export-button.js';
import { type Group, useGroups } from './groups.js';
import { LookedThrough } from './looked-through.js';
import { inSession } from './users.js';
import { Said } from '../ui/said.js';

const route = getRouteApi('/p/$org/$project/sessions/$session');

/** One conversation: who took part, when, and the way to make it forgotten. */
export function SessionPage() {
  const project = useProject();
  const { session } = route.useParams();
  const { write } = useRights();
  const matching = inSession(session);
  const participants = useGroups(project, { by: 'producer', filter: matching.text });
  return (
    <Page
      title={session}
      lead={`A session of ${project.org} / ${project.project}`}
      actions={
        <>
          <Link
            to="/p/$org/$project/episodes"
            params={project}
            search={{ filter: matching.text }}
            className={buttonStyle()}
          >
            <MessagesSquare aria-hidden /> Messages
          </Link>
          <ExportButton project={project} episodes={matching} name={session} />
          {write && <ForgetMatching project={project} filter={matching.text} label="Forget this session" />}
        </>
      }
    >
      <Panel title="Who took part">
        <Listed of={participants} empty={<Empty title="No message is of this session" />}>
          {(groups) => <Participants groups={groups} />}
        </Listed>
        <LookedThrough of={participants} />
      </Panel>
    </Page>
  );
}

/** The first and the last moment of any of them. */
function periodOf(groups: readonly Group[]): readonly [from: string, to: string] {
  const from = groups.map(({ first_at }) => first_at).sort()[0] ?? '';
  const to =
    groups
      .map(({ last_at }) => last_at)
      .sort()
      .at(-1) ?? '';
  return [from, to];
}

function Participants({ groups }: { readonly groups: readonly Group[] }) {
  const project = useProject();
  const [from, to] = periodOf(groups);
  return (
    <>
      <p className="border-b border-line px-4 py-2 text-sm text-muted">
        <When at={from} isExact /> to <When at={to} isExact />
      </p>
      <ul className="divide-y divide-line">
        {groups.map(({ name, episodes }) => (
          <li key={name} className="flex items-baseline gap-3 px-4 py-2 text-sm">
            <Link
              to="/p/$org/$project/users/$user"
              params={{ ...project, user: name }}
              className="min-w-0 flex-1 truncate font-medium underline-offset-2 hover:underline"
            >
              <Said text={name} />
            </Link>
            <span className="text-muted tabular-nums">
              {episodes === 1 ? '1 message' : `${episodes} messages`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
