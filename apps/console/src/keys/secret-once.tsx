import { type Wire } from '../api/loci.js';
import { CodeBlock } from '../ui/code-block.js';

/** A secret: only now, and nowhere else. */
export function SecretOnce({ issued }: { readonly issued: Pick<Wire['IssuedApiKey'], 'name' | 'secret'> }) {
  if (issued.secret === null) {
    return (
      <p role="status" className="text-sm text-warn">
        The answer with the secret of {issued.name} was lost on its way. Make a new secret.
      </p>
    );
  }
  return (
    <div role="status" className="grid gap-2">
      <p className="text-sm text-warn">
        This is the only time that the secret of {issued.name} is shown. Put it where it is needed now.
      </p>
      <CodeBlock label="Secret" text={issued.secret} />
    </div>
  );
}
