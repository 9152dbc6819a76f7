import { type Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';

interface RowsInSightProps {
  readonly label: string;
  /** What scrolls, as `rows` is told. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly rows: Virtualizer<HTMLDivElement, Element>;
  /** Draws the row at an index. */
  readonly children: (index: number) => ReactNode;
}

/** A list of any length, of which only the rows in sight are drawn. */
export function RowsInSight({ label, scroller, rows, children }: RowsInSightProps) {
  const items = rows.getVirtualItems();
  const focused = useRef<Element>(null);
  // a row that is scrolled out of sight takes the focus with it: the list has it then, so that keys go on scrolling
  useLayoutEffect(() => {
    if (focused.current === null || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  });
  return (
    <div
      ref={scroller}
      role="region"
      aria-label={label}
      tabIndex={0}
      onFocus={({ target }) => {
        focused.current = target;
      }}
      onBlur={() => {
        focused.current = null;
      }}
      className="min-h-0 flex-1 overflow-y-auto rounded-lg border border-line bg-surface contain-strict"
    >
      <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
        <div
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
        >
          {items.map(({ index, key }) => (
            <div key={key} data-index={index} ref={rows.measureElement}>
              {children(index)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
