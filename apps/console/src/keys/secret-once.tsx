import { type Wire } from '../api/loci.js';
import { Button } from '../ui/button.js';
import { CodeBlock } from '../ui/code-block.js';
import { Said } from '../ui/said.js';

type Issued = Pick<Wire['IssuedApiKey'], 'name' | 'secret'>;

/** A secret: only now, and nowhere else. */
export function SecretOnce({ issued }: { readonly issued: Issued }) {
  if (issued.secret === null) {
    return (
      <p role="status" className="text-sm text-warn">
        The answer with the secret of <Said text={issued.name} /> was lost on its way. Make a new secret.
      </p>
    );
  }
  return (
    <div role="status" className="grid gap-2">
      <p className="text-sm text-warn">
        This is the only time that the secret of <Said text={issued.name} /> is shown. Put it where it is
        needed now.
      </p>
      <CodeBlock label="Secret" text={issued.secret} />
    </div>
  );
}

interface IssuedSecretProps {
  readonly issued: Issued;
  readonly onDone: () => void;
}

/** What takes the place of the form that made it. */
export const IssuedSecret = ({ issued, onDone }: IssuedSecretProps) => (
  <div className="grid gap-4">
    <SecretOnce issued={issued} />
    <Button className="justify-self-end" onClick={onDone}>
      Done
    </Button>
  </div>
);
