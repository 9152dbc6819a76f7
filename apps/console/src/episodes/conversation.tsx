import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Project } from '../projects/project.js';
import { Button } from '../ui/button.js';
import { type Episode, pagesKey } from './episodes.js';
import { Messages } from './messages.js';
import { beginAround, beginBefore, beginBehind, type Part, partFrom } from './shown-part.js';

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

/** All messages that match: any number, of very many a part at a time. */
export function Conversation({ total, position, ...rest }: ConversationProps) {
  useWhatChanged(rest, total);
  const [{ begin, first }, show] = useState({ begin: beginAround(total, position), first: position });
  // fewer may be left than when it was chosen
  const part = partFrom(Math.min(begin, beginAround(total)), total);
  return (
    <>
      <Parts
        part={part}
        total={total}
        onOlder={() => show({ begin: beginBefore(part), first: part.begin - 1 })}
        onNewer={() => show({ begin: beginBehind(part, total), first: part.end })}
      />
      <Messages key={begin} part={part} first={first} {...rest} />
    </>
  );
}

/** Where there are more messages than before, or fewer, those in sight are asked for again. */
function useWhatChanged(
  { project, filter }: Pick<ConversationProps, 'project' | 'filter'>,
  total: number,
): void {
  const client = useQueryClient();
  const known = useRef(total);
  useEffect(() => {
    if (known.current === total) return;
    known.current = total;
    void client.invalidateQueries({ queryKey: pagesKey(project, filter) });
  }, [client, project, filter, total]);
}

interface PartsProps {
  readonly part: Part;
  readonly total: number;
  readonly onOlder: () => void;
  readonly onNewer: () => void;
}

/** Which part is shown, and the way to the others; nothing where it is all. */
function Parts({ part: { begin, end }, total, onOlder, onNewer }: PartsProps) {
  if (begin === 0 && end === total) return null;
  return (
    <p className="flex flex-wrap items-center gap-3 text-sm text-muted tabular-nums">
      <Button size="small" disabled={begin === 0} onClick={onOlder}>
        Older
      </Button>
      <span role="status">
        {(begin + 1).toLocaleString('en')} to {end.toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
      <Button size="small" disabled={end === total} onClick={onNewer}>
        Newer
      </Button>
    </p>
  );
}
