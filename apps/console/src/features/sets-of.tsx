import { type SubmitEvent } from 'react';
import { pathOf, useProject } from '../projects/project.js';
import { Button } from '../ui/button.js';
import { Input } from '../ui/field.js';
import { useTyped } from '../ui/use-typed.js';
import { visible } from '../ui/visible.js';
import { useSetTypes } from './set-name.js';

/** Metadata that choose sets beside those of the project and the organization. */
export type SetMetadata = Readonly<Record<string, string>>;

/** As an address has it. */
export const toAddress = (metadata: SetMetadata): string => new URLSearchParams(metadata).toString();

export const fromAddress = (text: string): SetMetadata =>
  Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ''));

interface SetsOfProps {
  readonly metadata: SetMetadata;
  readonly onPick: (metadata: SetMetadata) => void;
}

/** Asks whose sets are listed beside the common ones; nothing where all sets are common. */
export function SetsOf(props: SetsOfProps) {
  const project = useProject();
  const keys = [...new Set(useSetTypes().flatMap(({ tags }) => tags))].sort();
  // what is typed is for one project
  return keys.length > 0 && <SetsForm key={pathOf(project)} keys={keys} {...props} />;
}

function SetsForm({ keys, metadata, onPick }: SetsOfProps & { readonly keys: readonly string[] }) {
  const [typed, type] = useTyped(metadata);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onPick(fromAddress(toAddress(typed)));
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2 text-sm text-muted">
      Also the sets of
      {keys.map((key) => (
        <span key={key} className="flex items-center gap-2">
          <span aria-hidden>{visible(key)}</span>
          <Input
            aria-label={`Sets of ${visible(key)}`}
            className="w-40"
            value={typed[key] ?? ''}
            onChange={(event) => type({ [key]: event.target.value })}
          />
        </span>
      ))}
      <Button type="submit">Open</Button>
    </form>
  );
}
