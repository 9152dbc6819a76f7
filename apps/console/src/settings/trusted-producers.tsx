import { Plus, X } from 'lucide-react';
import { Button } from '../ui/button.js';
import { Field, Input } from '../ui/field.js';
import { Said } from '../ui/said.js';
import { visible } from '../ui/visible.js';

/** Names with one that is typed and not added yet, each once. */
export const withTyped = (names: readonly string[], typed: string): string[] => {
  const name = typed.trim();
  return name === '' ? [...names] : [...new Set([...names, name])];
};

/** A name as it is set, and what it stands for where that is not seen. */
export const ProducerName = ({ name }: { readonly name: string }) => (
  <span className="min-w-0 flex-1 wrap-anywhere">
    <Said text={name} />
    {name === '*' && <span className="text-muted"> every producer</span>}
  </span>
);

interface TrustedProducersProps {
  readonly names: readonly string[];
  /** A further name, as far as it is typed. */
  readonly typed: string;
  readonly problem: string | undefined;
  readonly onChange: (names: string[]) => void;
  readonly onType: (name: string) => void;
}

/** Producers whose messages may change what other messages support: each is removed by itself, so that no name is mistyped. */
export function TrustedProducers({ names, typed, problem, onChange, onType }: TrustedProducersProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-xs font-medium text-soft">Trusted producers</legend>
      {names.length === 0 ? (
        <p className="text-sm">None: what their messages bring about changes untrusted features alone.</p>
      ) : (
        <ul className="max-h-60 divide-y divide-line overflow-y-auto rounded-md border border-line">
          {names.map((name) => (
            <li key={name} className="flex items-center gap-2 py-0.5 pr-0.5 pl-2.5 text-sm">
              <ProducerName name={name} />
              <Button
                look="quiet"
                size="icon"
                aria-label={`Trust ${visible(name)} no more`}
                onClick={() => onChange(names.filter((one) => one !== name))}
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-start gap-2">
        <Field
          label="Another producer"
          hint="Its messages may change what other messages support. A name that ends with * stands for all that begin like it."
          problem={problem}
          className="min-w-0 flex-1"
        >
          {(control) => <Input {...control} value={typed} onChange={(event) => onType(event.target.value)} />}
        </Field>
        <Button
          className="mt-5"
          disabled={typed.trim() === ''}
          onClick={() => onChange(withTyped(names, typed))}
        >
          <Plus aria-hidden /> Trust
        </Button>
      </div>
    </fieldset>
  );
}
