import { Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from './button.js';
import { cn } from './cn.js';

interface ConfirmProps {
  /** One word: what it does. */
  readonly action: string;
  /** What it destroys, where the button stands among others of its kind: only screen readers are told. */
  readonly of?: string;
  /** In a row of a list there is little room. */
  readonly size?: 'normal' | 'small';
  /** What cannot be undone. */
  readonly consequence: ReactNode;
  readonly isBusy: boolean;
  /** Something is to be said first. */
  readonly isHeld?: boolean;
  readonly onConfirm: () => void;
}

/** A button that destroys something, at the second click. What has the focus then is the way back. */
export function Confirm({
  action,
  of,
  size = 'normal',
  consequence,
  isBusy,
  isHeld = false,
  onConfirm,
}: ConfirmProps) {
  const [isAsking, setAsking] = useState<boolean>();
  const next = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAsking !== undefined) next.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, [isAsking]);
  useLayoutEffect(
    () => () => {
      // a row that is gone takes the focus with it
      if (document.activeElement === document.body) document.querySelector('main')?.focus();
    },
    [],
  );
  return (
    <div
      ref={next}
      className={
        isAsking
          ? cn(
              'grid gap-2 rounded-md bg-sunken p-3 text-left',
              size === 'small' ? 'max-w-72 text-xs' : 'w-full text-sm',
            )
          : 'contents'
      }
    >
      {isAsking ? (
        <>
          <p>{consequence}</p>
          <div className="flex flex-wrap gap-2">
            <Button data-first size={size} onClick={() => setAsking(false)}>
              Keep
            </Button>
            <Button look="danger" size={size} isBusy={isBusy} disabled={isHeld} onClick={onConfirm}>
              {action} for good
            </Button>
          </div>
        </>
      ) : (
        <Button
          data-first
          look={size === 'small' ? 'plain' : 'danger'}
          size={size}
          aria-label={of === undefined ? undefined : `${action} ${of}`}
          onClick={() => setAsking(true)}
        >
          <Trash2 aria-hidden /> {action}
        </Button>
      )}
    </div>
  );
}
