import { type ReactNode } from 'react';
import { Facts, Panel } from '../ui/page.js';
import { Failure, Loading } from '../ui/states.js';

interface SettingsPanelProps<Settings> {
  readonly title: string;
  readonly note: string;
  /** The question, with its answer as far as that is there. */
  readonly of: {
    readonly data: Settings | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** Whether the caller changes them; others only see what they are. */
  readonly isChangeable: boolean;
  readonly entries: (settings: Settings) => readonly (readonly [name: string, value: ReactNode])[];
  /** The form that changes them. */
  readonly children: (settings: Settings) => ReactNode;
}

/** Settings that are changed together: as a form for those who may, as facts for those who read. */
export function SettingsPanel<Settings>({
  title,
  note,
  of: { data, error, refetch },
  isChangeable,
  entries,
  children,
}: SettingsPanelProps<Settings>) {
  return (
    <Panel title={title} note={note}>
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading />
      ) : isChangeable ? (
        children(data)
      ) : (
        <div className="p-4">
          <Facts entries={entries(data)} />
        </div>
      )}
    </Panel>
  );
}

/** That a change was taken, and what it means. */
export const Saved = ({ children }: { readonly children: ReactNode }) => (
  <div role="status" className="grid gap-1 text-sm">
    <p className="text-good">Saved.</p>
    {children}
  </div>
);
