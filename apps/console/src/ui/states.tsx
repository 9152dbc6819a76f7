import { LociError, type Problem } from '@loci/client';
import { CircleAlert, CloudOff, Inbox, Lock, RefreshCw, SearchX } from 'lucide-react';
import { type ReactNode } from 'react';
import { isOffline, isUnanswered } from '../api/failures.js';
import { NewVersion } from '../api/reached.js';
import { Button } from './button.js';
import { cn } from './cn.js';
import { Said } from './said.js';

interface NoteProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly role?: 'alert' | 'status';
  readonly children?: ReactNode;
}

function Note({ icon, title, role, children }: NoteProps) {
  return (
    <div role={role} className="mx-auto grid max-w-xl justify-items-center gap-2 px-4 py-10 text-center">
      <span className="text-muted [&_svg]:size-6">{icon}</span>
      <p className="font-medium">
        <Said text={title} />
      </p>
      {children !== undefined && (
        <div className="grid justify-items-center gap-3 text-sm text-muted">{children}</div>
      )}
    </div>
  );
}

/** There is nothing to show, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Note icon={<Inbox aria-hidden />} title={title} role="status">
      {children}
    </Note>
  );
}

/** Something is on its way. */
export function Loading({ rows = 4, className }: { readonly rows?: number; readonly className?: string }) {
  return (
    <div role="status" aria-label="Loading" className={cn('grid gap-2 p-4', className)}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="h-5 animate-pulse rounded bg-sunken" />
      ))}
    </div>
  );
}

interface ListedProps<Row> {
  /** The question, with its answer as far as that is there. */
  readonly of: {
    readonly data: readonly Row[] | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** Shown where there is no row. */
  readonly empty: ReactNode;
  /** Lines to show while it is on its way. */
  readonly loadingRows?: number;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** A list, or why there is none. */
export function Listed<Row>({
  of: { data, error, refetch },
  empty,
  loadingRows,
  children,
}: ListedProps<Row>) {
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading {...(loadingRows !== undefined && { rows: loadingRows })} />;
  return data.length === 0 ? empty : children(data);
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something unforeseen went wrong.';

/** What went wrong, in the words of Loci, and a way to try again. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { icon, title } = kindOf(error);
  const message = messageOf(error);
  return (
    <Note icon={icon} title={title} role="alert">
      <p className="whitespace-pre-wrap">
        <Said text={message} />
      </p>
      {error instanceof LociError && error.requestId !== undefined && (
        <p className="font-mono text-xs">request {error.requestId}</p>
      )}
      {isUnanswered(error) && <p>It is asked again every few seconds, until Loci answers.</p>}
      {onRetry !== undefined && (
        <Button onClick={onRetry}>{error instanceof NewVersion ? 'Reload the page' : 'Try again'}</Button>
      )}
    </Note>
  );
}

function kindOf(error: unknown): { readonly icon: ReactNode; readonly title: string } {
  if (error instanceof NewVersion) return { icon: <RefreshCw aria-hidden />, title: 'Loci was updated' };
  if (isOffline(error)) return { icon: <CloudOff aria-hidden />, title: 'Loci was not reached' };
  const status = error instanceof LociError ? error.status : 0;
  if (status === 403) return { icon: <Lock aria-hidden />, title: 'Your key does not allow this' };
  if (status === 404) return { icon: <SearchX aria-hidden />, title: 'Not there, or not yours' };
  return { icon: <CircleAlert aria-hidden />, title: 'This did not work' };
}

interface RefusedProps {
  readonly error: unknown;
  /** Fields that say their own problems. */
  readonly besides?: readonly string[];
}

/** A failure within a form: in one line, where it happened. */
export function Refused({ error, besides = [] }: RefusedProps) {
  if (error === null || error === undefined) return null;
  const isSaid = ({ loc }: Problem): boolean => besides.some((field) => loc.includes(field));
  if (error instanceof LociError && error.problems.length > 0 && error.problems.every(isSaid)) return null;
  return (
    <p role="alert" className="rounded-md bg-bad-wash px-3 py-2 text-sm whitespace-pre-wrap text-bad">
      <Said text={messageOf(error)} />
    </p>
  );
}
