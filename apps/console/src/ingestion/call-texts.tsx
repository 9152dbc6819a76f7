import { type ReactNode } from 'react';
import { type Wire } from '../api/loci.js';
import { Badge } from '../ui/badge.js';
import { CodeBlock } from '../ui/code-block.js';
import { Said } from '../ui/said.js';

/** A part of what is told about a call of a model. */
export const CallPart = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
    <h3 className="text-sm font-semibold">{title}</h3>
    {children}
  </section>
);

/** Why a reply is of no use; nothing when it is of use. */
export const CallProblem = ({ code, reason }: Pick<Wire['ModelCallDetails'], 'code' | 'reason'>) =>
  code !== null && (
    <p className="text-sm">
      <Badge tone="bad">{code}</Badge> <Said text={reason ?? ''} />
    </p>
  );

/** What a model was shown, and what it replied. */
export const CallTexts = ({
  prompt,
  reply,
  is_cut,
}: Pick<Wire['ModelCallDetails'], 'prompt' | 'reply' | 'is_cut'>) => (
  <>
    <CallPart title="Prompt">
      {prompt?.map(({ role, content }, index) => <CodeBlock key={index} label={role} text={content} />) ?? (
        <NoTexts />
      )}
    </CallPart>
    <CallPart title="Reply">
      {reply !== null ? (
        <CodeBlock label="reply" text={reply} />
      ) : prompt === null ? (
        <NoTexts />
      ) : (
        <p className="text-sm text-muted">No reply came.</p>
      )}
    </CallPart>
    {is_cut && <p className="text-xs text-muted">The texts are longer than what is kept of them.</p>}
  </>
);

const NoTexts = () => <p className="text-sm text-muted">The project keeps no texts of calls.</p>;
