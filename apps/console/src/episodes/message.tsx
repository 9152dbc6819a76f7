import { CornerDownRight } from 'lucide-react';
import { Badge } from '../ui/badge.js';
import { cn } from '../ui/cn.js';
import { When } from '../ui/when.js';
import { type Episode, sessionOf, speakerOf } from './episodes.js';
import { Said } from '../ui/said.js';

interface MessageProps {
  readonly episode: Episode;
  readonly isMarked?: boolean;
  readonly onOpen: () => void;
}

/** A message in a conversation. What was said is text, whatever is in it. */
export function Message({ episode, isMarked = false, onOpen }: MessageProps) {
  const speaker = speakerOf(episode);
  const isAgent = /assistant|agent|system|tool/i.test(episode.producer_role);
  const session = sessionOf(episode);
  return (
    <article
      className={cn(
        'group flex gap-3 border-b border-line px-4 py-2.5',
        isAgent && 'bg-sunken/50',
        isMarked && 'bg-accent-wash',
      )}
    >
      <span
        aria-hidden
        className={cn(
          'mt-0.5 grid size-7 shrink-0 place-items-center rounded-full text-xs font-semibold uppercase',
          isAgent ? 'bg-accent-wash text-accent' : 'bg-sunken text-soft',
        )}
      >
        {[...speaker].slice(0, 2).join('')}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-xs text-muted">
          <button
            type="button"
            onClick={onOpen}
            className="line-clamp-2 text-left text-sm font-medium break-all text-ink underline-offset-2 group-hover:underline"
            aria-label={`Message of ${speaker}: details`}
          >
            {speaker}
          </button>
          {episode.producer_role !== '' && episode.producer_role !== speaker && (
            <Badge>
              <Said text={episode.producer_role} />
            </Badge>
          )}
          {episode.produced_for_id !== '' && (
            <span className="inline-flex items-center gap-1">
              <CornerDownRight aria-hidden className="size-3" />
              to <Said text={episode.produced_for_id} />
            </span>
          )}
          {session !== undefined && (
            <span className="truncate">
              session <Said text={session} />
            </span>
          )}
          <span className="ml-auto">
            <When at={episode.created_at} isExact />
          </span>
        </p>
        <p className="mt-0.5 line-clamp-8 text-sm whitespace-pre-wrap">
          <Said text={episode.content} />
        </p>
      </div>
    </article>
  );
}
