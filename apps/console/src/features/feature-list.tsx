import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Badge } from '../ui/badge.js';
import { RowsInSight } from '../ui/rows-in-sight.js';
import { type Feature } from './features.js';
import { type FeatureRow, keyOfRow } from './feature-groups.js';
import { Trust } from './origin.js';
import { SetLabel } from './set-label.js';
import { hasEnded } from './validity.js';
import { Said } from '../ui/said.js';

const HEIGHTS = { set: 40, category: 34, feature: 62 };

interface FeatureListProps {
  readonly rows: readonly FeatureRow[];
  /** When they were last answered: then the end may be in sight still. */
  readonly askedAt: number;
  readonly onOpen: (feature: Feature) => void;
  /** The end is in sight. */
  readonly onEnd: () => void;
}

/** Features under their sets and categories. Only rows in sight are drawn. */
export function FeatureList({ rows, askedAt, onOpen, onEnd }: FeatureListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? 'feature'],
    overscan: 10,
    // what comes later is put among what is there: what one reads stays where it is
    getItemKey: (index) => keyOfRow(rows[index]) ?? index,
    anchorTo: 'end',
  });
  const last = list.getVirtualItems().at(-1)?.index ?? 0;
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (last >= rows.length - 1) end();
  }, [last, rows.length, askedAt]);
  return (
    <RowsInSight label="Features" scroller={scroller} rows={list}>
      {(index) => <Row row={rows[index]} onOpen={onOpen} />}
    </RowsInSight>
  );
}

interface RowProps {
  readonly row: FeatureRow | undefined;
  readonly onOpen: (feature: Feature) => void;
}

function Row({ row, onOpen }: RowProps) {
  if (row?.kind === 'set') {
    return (
      <h2 className="flex gap-2 border-b border-line bg-sunken px-4 py-2 text-xs text-soft">
        <SetLabel id={row.set} /> <span className="break-normal text-muted">{row.count}</span>
      </h2>
    );
  }
  if (row?.kind === 'category') {
    return (
      <h3 className="border-b border-line px-4 pt-3 pb-1 text-sm font-semibold">
        <Said text={row.category} /> <span className="font-normal text-muted">{row.count}</span>
      </h3>
    );
  }
  if (!row) return null;
  const { feature } = row;
  return (
    <button
      type="button"
      onClick={() => onOpen(feature)}
      className="grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-3 border-b border-line px-4 py-2 text-left hover:bg-sunken/60"
    >
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="line-clamp-2 font-medium">
          <Said text={feature.feature_name} />
        </span>
        <Badge>
          <Said text={feature.tag} />
        </Badge>
        {feature.subject !== undefined && feature.subject !== '' && (
          <span className="text-xs text-muted">
            about <Said text={feature.subject} />
          </span>
        )}
      </span>
      <span className="flex items-center gap-2">
        <span className="hidden text-xs text-muted sm:inline">{feature.origin.kind}</span>
        {hasEnded(feature) && <Badge tone="warn">ended</Badge>}
        <Trust trust={feature.trust} />
      </span>
      <span className="col-span-2 line-clamp-2 text-sm text-soft">
        <Said text={feature.value} />
      </span>
    </button>
  );
}
