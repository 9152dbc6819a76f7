import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { hasCode } from '../api/failures.js';
import { type Wire } from '../api/loci.js';
import { type Project } from '../projects/project.js';
import { Said } from '../ui/said.js';
import { featureQuery } from './features.js';
import { FeatureLink, hasEnded } from './validity.js';

interface ProposedChangeProps {
  readonly project: Project;
  readonly proposal: Wire['Proposal'];
}

/** What the features of a proposal say now, and what they are to say. */
export const ProposedChange = ({ project, proposal: { features, value } }: ProposedChangeProps) => (
  <>
    {features.map((feature) => (
      <Former key={feature.feature_id} project={project} feature={feature} proposed={value} />
    ))}
    {value !== null && (
      <p className="mt-1">
        <Said text={value} />
      </p>
    )}
  </>
);

interface FormerProps {
  readonly project: Project;
  readonly feature: Wire['ProposedFeature'];
  readonly proposed: string | null;
}

/** What one feature says, and whether it is still what the model was shown. */
function Former({ project, feature: { feature_id: id, value: shown }, proposed }: FormerProps) {
  const { data, error } = useQuery(featureQuery(project, id));
  if (hasCode(error, 'feature_not_found')) {
    return (
      <Changed>
        Removed since the model asked. It said: <Said text={shown} />
      </Changed>
    );
  }
  const now = data?.value ?? shown;
  return (
    <>
      <p className="mt-1">
        <FeatureLink project={project} id={id}>
          {now === proposed ? (
            <Said text={now} />
          ) : (
            <del>
              <Said text={now} />
            </del>
          )}
        </FeatureLink>
      </p>
      {now !== shown && (
        <Changed>
          Changed since the model asked. It said: <Said text={shown} />
        </Changed>
      )}
      {now === proposed && <Changed>It says this already.</Changed>}
      {data && hasEnded(data) && <Changed>It holds no more.</Changed>}
    </>
  );
}

const Changed = ({ children }: { readonly children: ReactNode }) => (
  <p className="mt-1 text-xs text-warn">{children}</p>
);
