import { Said } from '../ui/said.js';
import { visible } from '../ui/visible.js';
import { useSetNames } from './set-name.js';

interface SetLabelProps {
  readonly id: string;
  /** The id is shown, too: requests name a set by it. */
  readonly hasId?: boolean;
}

/** A set by its name, where its id says one. */
export function SetLabel({ id, hasId = false }: SetLabelProps) {
  const name = useSetNames()(id);
  return (
    <>
      {name !== undefined && (
        <span className="break-words" title={visible(id)}>
          <Said text={name} />
        </span>
      )}
      {(name === undefined || hasId) && (
        <span className="block font-mono text-xs break-all">
          <Said text={id} />
        </span>
      )}
    </>
  );
}
