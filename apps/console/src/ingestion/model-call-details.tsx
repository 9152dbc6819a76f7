import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Wire } from '../api/loci.js';
import { CitedMessages } from '../features/cited-messages.js';
import { SetLabel } from '../features/set-label.js';
import { type Project } from '../projects/project.js';
import { Badge } from '../ui/badge.js';
import { Dialog } from '../ui/dialog.js';
import { linkStyle } from '../ui/link-style.js';
import { Facts } from '../ui/page.js';
import { Failure, Loading } from '../ui/states.js';
import { When } from '../ui/when.js';
import { CallPart, CallProblem, CallTexts } from './call-texts.js';
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
      <CallProblem code={call.code} reason={call.reason} />
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
      <CallPart title="Features">
        <Made project={project} made={call.features} />
      </CallPart>
      <CallPart title="Messages that it read">
        <CitedMessages project={project} uids={call.episode_ids} />
      </CallPart>
      <CallTexts prompt={call.prompt} reply={call.reply} is_cut={call.is_cut} />
    </div>
  );
}

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
