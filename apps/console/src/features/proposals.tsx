import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { hasCode } from '../api/failures.js';
import { answered, api, type Wire } from '../api/loci.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Panel } from '../ui/page.js';
import { PartOf } from '../ui/part-of.js';
import { Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { When } from '../ui/when.js';
import { CitedMessages } from './cited-messages.js';
import { proposalsQuery } from './features.js';
import { useMayChange } from './may-change.js';
import { ProposedChange } from './proposed-change.js';
import { SetLabel } from './set-label.js';
import { Said } from '../ui/said.js';

/** Whether a proposal waits no more. */
const isDecided = (error: unknown): boolean => hasCode(error, 'proposal_not_found');

/** Changes that wait for a person; nothing is shown when there are none. */
export function Proposals({ project }: { readonly project: Project }) {
  const { data } = useQuery(proposalsQuery(project));
  if (!data || data.rows.length === 0) return null;
  return (
    <Panel title="Proposed changes" note="A model asked for these and may not make them by itself.">
      <ul className="max-h-[40vh] divide-y divide-line overflow-y-auto">
        {data.rows.map((proposal) => (
          <ProposalRow key={proposal.proposal_id} project={project} proposal={proposal} />
        ))}
      </ul>
      <PartOf shown={data.rows.length} total={data.total} what="proposals" />
    </Panel>
  );
}

interface ProposalRowProps {
  readonly project: Project;
  readonly proposal: Wire['Proposal'];
}

function ProposalRow({ project, proposal }: ProposalRowProps) {
  const mayChange = useMayChange(project)(proposal);
  const client = useQueryClient();
  const body = { ...named(project), proposal_id: proposal.proposal_id };
  const deciding = useMutation({
    mutationFn: (isAccepted: boolean) =>
      answered(
        isAccepted
          ? api.POST('/api/v2/memories/semantic/proposal/accept', { body })
          : api.POST('/api/v2/memories/semantic/proposal/reject', { body }),
      ),
    onSuccess: async (_, isAccepted) => {
      say(isAccepted ? 'The change is made.' : 'The features stay as they are.');
      await client.invalidateQueries({ queryKey: keyOf(project) });
    },
    onError: async (error) => {
      if (!isDecided(error)) return;
      say('This has been decided meanwhile. Nothing was changed, and the list is loaded again.');
      await client.invalidateQueries({ queryKey: keyOf(project) });
    },
  });
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 text-sm">
          <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
            <Badge tone={proposal.command === 'delete' ? 'bad' : 'accent'}>{proposal.command}</Badge>
            <Said text={`${proposal.category} › ${proposal.tag} › ${proposal.feature_name}`} />
            <When at={proposal.created_at} />
          </p>
          <ProposedChange project={project} proposal={proposal} />
          <p className="mt-1 text-xs text-muted">
            {proposal.model !== null && (
              <>
                Asked for by <Said text={proposal.model} />, in{' '}
              </>
            )}
            <SetLabel id={proposal.set_id} />
          </p>
        </div>
        {mayChange && (
          <div className="flex gap-2">
            <Button
              size="small"
              look="primary"
              isBusy={deciding.isPending}
              onClick={() => deciding.mutate(true)}
            >
              <Check aria-hidden /> Accept
            </Button>
            <Button size="small" isBusy={deciding.isPending} onClick={() => deciding.mutate(false)}>
              <X aria-hidden /> Reject
            </Button>
          </div>
        )}
      </div>
      <section aria-label="What speaks for it">
        <CitedMessages project={project} uids={proposal.citations} />
      </section>
      <Refused error={isDecided(deciding.error) ? undefined : deciding.error} />
    </li>
  );
}
