import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { answered, api } from '../api/loci.js';
import { WhyNotFound } from '../episodes/why-not-found.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { Dialog } from '../ui/dialog.js';
import { linkStyle } from '../ui/link-style.js';
import { Facts } from '../ui/page.js';
import { Failure, Loading, Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { When } from '../ui/when.js';
import { CitedMessages } from './cited-messages.js';
import { CorrectFeature } from './correct-feature.js';
import { type Feature, featureQuery, historyQuery } from './features.js';
import { useMayChange, withUser } from './may-change.js';
import { Origin, Trust } from './origin.js';
import { SetLabel } from './set-label.js';
import { Timeline } from './timeline.js';
import { SupersededBy, Supersedes, Validity } from './validity.js';
import { Said } from '../ui/said.js';

interface FeatureDetailsProps {
  readonly project: Project;
  readonly id: string;
  readonly onClose: () => void;
}

/** A feature with what supports it and what happened to it. */
export function FeatureDetails({ project, id, onClose }: FeatureDetailsProps) {
  const { data, error, refetch } = useQuery(featureQuery(project, id));
  return (
    <Dialog isOpen onClose={onClose} title={data?.feature_name ?? 'Feature'} position="side">
      {data && !error && <Details key={id} project={project} feature={data} onClose={onClose} />}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {error && <Former project={project} id={id} />}
    </Dialog>
  );
}

/** What happened to a feature that is not shown, if that is known: why it is not shown is said already. */
function Former({ project, id }: { readonly project: Project; readonly id: string }) {
  const { data } = useQuery(historyQuery(project, id));
  if (!data) return null;
  return (
    <section className="mt-4 grid gap-3">
      <h3 className="text-sm font-semibold">What happened to it</h3>
      <Timeline project={project} id={id} set={undefined} />
    </section>
  );
}

interface DetailsProps {
  readonly project: Project;
  readonly feature: Feature;
  readonly onClose: () => void;
}

function Details({ project, feature, onClose }: DetailsProps) {
  const mayChange = useMayChange(project)(withUser(feature));
  const [isCorrecting, setCorrecting] = useState(false);
  const client = useQueryClient();
  const { id, citations = [], other = {} } = feature.metadata;
  const deleting = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/api/v2/memories/semantic/delete', { body: { ...named(project), semantic_id: id } }),
      ),
    onSuccess: async () => {
      say('The feature is deleted.');
      onClose();
      await client.invalidateQueries({ queryKey: keyOf(project) });
    },
  });
  return (
    <div className="grid gap-5">
      <p className="text-base whitespace-pre-wrap">
        <Said text={feature.value} />
      </p>
      {!isCorrecting && (
        <div className="flex flex-wrap gap-2">
          {mayChange && (
            <Button onClick={() => setCorrecting(true)}>
              <Pencil aria-hidden /> Correct
            </Button>
          )}
          <WhyNotFound project={project} id={id} />
          {mayChange && (
            <Confirm
              action="Delete"
              consequence="The feature is gone; the messages that support it stay."
              isBusy={deleting.isPending}
              onConfirm={() => deleting.mutate()}
            />
          )}
        </div>
      )}
      <Refused error={deleting.error} />
      {isCorrecting && (
        <CorrectFeature project={project} feature={feature} onDone={() => setCorrecting(false)} />
      )}
      <Facts
        entries={[
          ['Category', feature.category],
          ['Tag', feature.tag],
          ['About', <Subject key="subject" project={project} subject={feature.subject} />],
          ['Holds', <Validity key="validity" of={feature} />],
          ['Supersedes', <Supersedes key="supersedes" project={project} id={id} />],
          ['Superseded by', <SupersededBy key="superseded" project={project} id={feature.superseded_by} />],
          ...(feature.recorded_at === undefined
            ? []
            : [['Recorded', <When key="recorded" at={feature.recorded_at} isExact />] as const]),
          ...(feature.expires_at === undefined
            ? []
            : [['Expires', <When key="expires" at={feature.expires_at} isExact />] as const]),
          ['Trust', <Trust key="trust" trust={feature.trust} />],
          ['Origin', <Origin key="origin" origin={feature.origin} />],
          ['Set', <SetLabel key="set" id={feature.set_id} hasId />],
          ...Object.entries(other).map(([key, value]) => [key, value] as const),
        ]}
      />
      <section className="grid gap-2">
        <h3 className="text-sm font-semibold">What supports it</h3>
        <CitedMessages project={project} uids={citations} />
      </section>
      <section className="grid gap-3">
        <h3 className="text-sm font-semibold">What happened to it</h3>
        <Timeline project={project} id={id} set={feature.set_id} />
      </section>
    </div>
  );
}

/** Whom a feature is about. */
function Subject({ project, subject }: { readonly project: Project; readonly subject: string | undefined }) {
  if (subject === undefined || subject === '') return 'no one in particular';
  return (
    <Link to="/p/$org/$project/users/$user" params={{ ...project, user: subject }} className={linkStyle()}>
      <Said text={subject} />
    </Link>
  );
}
