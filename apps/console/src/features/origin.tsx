import { Author } from '../ui/author.js';
import { type Wire } from '../api/loci.js';
import { Badge, type Tone } from '../ui/badge.js';
import { Said } from '../ui/said.js';

const TRUST: Readonly<Record<Wire['SemanticFeature']['trust'], readonly [tone: Tone, what: string]>> = {
  protected: ['good', 'Only a client or a trusted producer changes it'],
  trusted: ['accent', 'Rests on messages of trusted producers'],
  untrusted: ['warn', 'Rests on messages of producers that the project does not trust'],
};

/** How far a feature can be relied upon. */
export function Trust({ trust }: { readonly trust: Wire['SemanticFeature']['trust'] }) {
  const [tone, what] = TRUST[trust];
  return (
    <Badge tone={tone} title={what} className="shrink-0">
      {trust}
    </Badge>
  );
}

/** What brought something about: a client, or a step of Loci with its model. */
export function Origin({
  origin,
}: {
  readonly origin: Pick<Wire['FeatureOrigin'], 'author' | 'model'> & { readonly kind: string };
}) {
  return (
    <span>
      {origin.kind}
      {origin.model !== undefined && (
        <span className="text-muted">
          {' '}
          · <Said text={origin.model} />
        </span>
      )}
      {origin.author && (
        <span className="text-muted">
          {' '}
          · <Author author={origin.author} />
        </span>
      )}
    </span>
  );
}
