import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { type Wire } from '../api/loci.js';
import { CitedMessages } from '../features/cited-messages.js';
import { SetLabel } from '../features/set-label.js';
import { type Project } from '../projects/project.js';
import { Badge } from '../ui/badge.js';
import { CodeBlock } from '../ui/code-block.js';
import { Dialog } from '../ui/dialog.js';
import { linkStyle } from '../ui/link-style.js';
import { Facts } from '../ui/page.js';
import { Failure, Loading } from '../ui/states.js';
import { When } from '../ui/when.js';
import { callQuery } from './ingestion.js';
import { tokens, took } from './model-calls.js';
import { Said } from '../ui/said.js';

interface ModelCallDetailsProps {
  readonly project: Project;
  readonly id: string;
  readonly onClose: () => void;
}

/** What a model was shown, what it replied, and what became of it. */
export function ModelCallDetails({ project, id, onClose }: ModelCallDetailsProps) {
  const { data, error, refetch } = useQuery(callQuery(project, id));
  return (
    <Dialog isOpen onClose={onClose} position="side" title="Call of a model" description={data?.model}>
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Details project={project} call={data} />
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}

interface DetailsProps {
  readonly project: Project;
  readonly call: Wire['ModelCallDetails'];
}

function Details({ project, call }: DetailsProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {call.code !== null && (
        <p className="text-sm">
          <Badge tone="bad">{call.code}</Badge> <Said text={call.reason ?? ''} />
        </p>
      )}
      <Facts
        entries={[
          ['Began', <When key="at" at={call.at} isExact />],
          ['Took', took(call.duration_ms)],
          ['Asked about', call.categories.join(', ')],
          ['Set', <SetLabel key="set" id={call.set_id} hasId />],
          ['Tokens, in and out', tokens(call)],
          ['Cost', call.cost?.toFixed(6) ?? 'the model has no prices'],
          ['Replies', call.replies],
          ['Kept until', <When key="until" at={call.expires_at} isExact />],
        ]}
      />
      <Part title="Features">
        <Made project={project} made={call.features} />
      </Part>
      <Part title="Messages that it read">
        <CitedMessages project={project} uids={call.episode_ids} />
      </Part>
      <Part title="Prompt">
        {call.prompt?.map(({ role, content }, index) => (
          <CodeBlock key={index} label={role} text={content} />
        )) ?? <NoTexts />}
      </Part>
      <Part title="Reply">
        {call.reply === null ? (
          call.prompt === null ? (
            <NoTexts />
          ) : (
            <p className="text-sm text-muted">No reply came.</p>
          )
        ) : (
          <CodeBlock label="reply" text={call.reply} />
        )}
      </Part>
      {call.is_cut && <p className="text-xs text-muted">The texts are longer than what is kept of them.</p>}
    </div>
  );
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
    <h3 className="text-sm font-semibold">{title}</h3>
    {children}
  </section>
);

const NoTexts = () => <p className="text-sm text-muted">The project keeps no texts of calls.</p>;

const DID = { add: 'added', update: 'changed', remove: 'taken away' } as const;

function Made({
  project,
  made,
}: {
  readonly project: Project;
  readonly made: readonly Wire['MadeFeature'][];
}) {
  if (made.length === 0) return <p className="text-sm text-muted">It changed nothing.</p>;
  return (
    <ul className="grid gap-1 text-sm">
      {made.map(({ feature_id: id, category, action }, index) => (
        <li key={index} className="flex flex-wrap items-center gap-2">
          <Badge tone={action === 'remove' ? 'bad' : 'accent'}>{DID[action]}</Badge>
          <Said text={category} />
          <Link
            to="/p/$org/$project/features"
            params={project}
            search={{ id }}
            className={linkStyle({ className: 'font-mono text-xs break-all' })}
          >
            {id}
          </Link>
        </li>
      ))}
    </ul>
  );
}
