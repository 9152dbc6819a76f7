import { type ReactNode } from 'react';
import { cn } from './cn.js';
import { Said } from './said.js';
import { visible } from './visible.js';

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** The page fills the window, and what is in it scrolls. */
  readonly isFull?: boolean;
}

/** One view: its title, what it is for, and its content. */
export function Page({ title, lead, actions, children, isFull = false }: PageProps) {
  return (
    <div
      className={cn(
        'mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-4 p-4 md:p-6',
        isFull && 'h-full grid-rows-[auto_minmax(0,1fr)]',
      )}
    >
      <title>{`${visible(title)} · Loci`}</title>
      <header className="flex flex-wrap items-start gap-3">
        <div className="min-w-[min(100%,11rem)] flex-1">
          <h1 className="text-xl font-semibold tracking-tight">
            <Said text={title} />
          </h1>
          {lead !== undefined && (
            <p className="mt-0.5 max-w-3xl text-sm text-muted">
              {typeof lead === 'string' ? <Said text={lead} /> : lead}
            </p>
          )}
        </div>
        {actions !== undefined && <div className="flex max-w-full flex-wrap gap-2">{actions}</div>}
      </header>
      {isFull ? <div className="flex min-h-0 flex-col gap-3">{children}</div> : children}
    </div>
  );
}

interface PanelProps {
  /** By which an address leads to it. */
  readonly id?: string;
  readonly title?: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Panel({ id, title, note, actions, className, children }: PanelProps) {
  return (
    <section
      id={id}
      aria-label={title === undefined ? undefined : visible(title)}
      className={cn('min-w-0 rounded-lg border border-line bg-surface shadow-xs', className)}
    >
      {title !== undefined && (
        <header className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
          <h2 className="text-sm font-semibold">
            <Said text={title} />
          </h2>
          {note !== undefined && (
            <span className="text-xs text-muted">
              {typeof note === 'string' ? <Said text={note} /> : note}
            </span>
          )}
          {actions !== undefined && <div className="ml-auto flex gap-2">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

/** Names and what they stand for. */
export function Facts({
  entries,
}: {
  readonly entries: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">
            <Said text={name} />
          </dt>
          <dd className="min-w-0">{typeof value === 'string' ? <Said text={value} /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface StatProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
}

export function Stat({ label, value, note }: StatProps) {
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface px-4 py-3 shadow-xs">
      <p className="truncate text-xs font-medium text-muted">{label}</p>
      <p className="mt-1 text-xl font-semibold tabular-nums [&_time]:whitespace-normal">{value}</p>
      {note !== undefined && <p className="mt-0.5 truncate text-xs text-muted">{note}</p>}
    </div>
  );
}
