import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { type Project } from '../projects/project.js';
import { cn } from '../ui/cn.js';
import { RowsInSight } from '../ui/rows-in-sight.js';
import { Failure } from '../ui/states.js';
import { type Episode, PAGE_SIZE, pageQuery } from './episodes.js';
import { Message } from './message.js';
import { type Part } from './shown-part.js';

/** Pixels of a message of one line; others are measured when they are shown. */
const ROW_HEIGHT = 66;

interface MessagesProps {
  readonly project: Project;
  readonly filter: string;
  readonly part: Part;
  /** The position of the message to show first; absent = the last one. */
  readonly first: number | undefined;
  readonly marked?: string | undefined;
  readonly onOpen: (episode: Episode) => void;
  readonly onSeen: (episodes: readonly Episode[]) => void;
}

/** The messages of a part, of which only those in sight are asked for and drawn. */
export function Messages({ project, filter, part, first, marked, onOpen, onSeen }: MessagesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer<HTMLDivElement, Element>({
    count: part.end - part.begin,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    // at the end one stays there when more is said
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: ROW_HEIGHT,
  });
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const position = first ?? part.end - 1;
    rows.scrollToIndex(position - part.begin, { align: first === undefined ? 'end' : 'center' });
  }, [rows, first, part]);

  const pages = [
    ...new Set(rows.getVirtualItems().map(({ index }) => Math.floor((part.begin + index) / PAGE_SIZE))),
  ];
  const answers = useQueries({ queries: pages.map((page) => pageQuery(project, filter, page)) });
  const byPage = new Map(pages.map((page, index) => [page, answers[index]]));
  const failed = answers.filter(({ error }) => error !== null);
  const newest = answers.at(-1)?.data?.episodes;
  useEffect(() => {
    if (newest) onSeen(newest);
  }, [newest, onSeen]);
  return (
    <>
      {failed[0] && (
        <Failure
          error={failed[0].error}
          onRetry={() => void Promise.all(failed.map((one) => one.refetch()))}
        />
      )}
      <RowsInSight label="Messages, oldest first" scroller={scroller} rows={rows}>
        {(index) => {
          const position = part.begin + index;
          const page = byPage.get(Math.floor(position / PAGE_SIZE));
          const episode = page?.data?.episodes[position % PAGE_SIZE];
          return episode ? (
            <Message episode={episode} isMarked={episode.uid === marked} onOpen={() => onOpen(episode)} />
          ) : (
            <div className="h-[66px] border-b border-line px-4 py-3">
              <div className={cn('h-4 w-2/3 rounded bg-sunken', !page?.error && 'animate-pulse')} />
            </div>
          );
        }}
      </RowsInSight>
    </>
  );
}
