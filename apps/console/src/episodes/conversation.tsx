import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { type Project } from '../projects/project.js';
import { RowsInSight } from '../ui/rows-in-sight.js';
import { Failure } from '../ui/states.js';
import { type Episode, PAGE_SIZE, pageQuery } from './episodes.js';
import { Message } from './message.js';

/** Pixels of a message of one line; others are measured when they are shown. */
const ROW_HEIGHT = 66;

interface ConversationProps {
  readonly project: Project;
  readonly filter: string;
  readonly total: number;
  /** The position of the message to show first; absent = the newest one. */
  readonly position?: number | undefined;
  readonly marked?: string | undefined;
  readonly onOpen: (episode: Episode) => void;
  readonly onSeen: (episodes: readonly Episode[]) => void;
}

/** All messages that match, of which only those in sight are asked for and drawn: any number scrolls alike. */
export function Conversation({
  project,
  filter,
  total,
  position,
  marked,
  onOpen,
  onSeen,
}: ConversationProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer<HTMLDivElement, Element>({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const first = position ?? total - 1;
  const begun = useRef<number>(null);
  useEffect(() => {
    if (begun.current === (position ?? -1) || total === 0) return;
    begun.current = position ?? -1;
    rows.scrollToIndex(first, { align: position === undefined ? 'end' : 'center' });
  }, [rows, first, position, total]);

  const pages = [...new Set(rows.getVirtualItems().map(({ index }) => Math.floor(index / PAGE_SIZE)))];
  const answers = useQueries({ queries: pages.map((page) => pageQuery(project, filter, page)) });
  const byPage = new Map(pages.map((page, index) => [page, answers[index]?.data?.episodes]));
  const failed = answers.find(({ error }) => error !== null);
  const newest = answers.at(-1)?.data?.episodes;
  useEffect(() => {
    if (newest) onSeen(newest);
  }, [newest, onSeen]);
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  return (
    <RowsInSight label="Messages, oldest first" scroller={scroller} rows={rows}>
      {(index) => {
        const episode = byPage.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE];
        return episode ? (
          <Message episode={episode} isMarked={episode.uid === marked} onOpen={() => onOpen(episode)} />
        ) : (
          <div className="h-[66px] border-b border-line px-4 py-3">
            <div className="h-4 w-2/3 animate-pulse rounded bg-sunken" />
          </div>
        );
      }}
    </RowsInSight>
  );
}
