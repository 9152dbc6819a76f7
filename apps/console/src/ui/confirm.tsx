import { Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './button.js';

interface ConfirmProps {
  /** One word: what it does. */
  readonly action: string;
  /** What cannot be undone. */
  readonly consequence: ReactNode;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
}

/** A button that destroys something, at the second click. What has the focus then is the way back. */
export function Confirm({ action, consequence, isBusy, onConfirm }: ConfirmProps) {
  const [isAsking, setAsking] = useState<boolean>();
  const next = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAsking !== undefined) next.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, [isAsking]);
  return (
    <div ref={next} className={isAsking ? 'grid w-full gap-2 rounded-md bg-sunken p-3 text-sm' : 'contents'}>
      {isAsking ? (
        <>
          <p>{consequence}</p>
          <div className="flex flex-wrap gap-2">
            <Button data-first onClick={() => setAsking(false)}>
              Keep
            </Button>
            <Button look="danger" isBusy={isBusy} onClick={onConfirm}>
              {action} for good
            </Button>
          </div>
        </>
      ) : (
        <Button data-first look="danger" onClick={() => setAsking(true)}>
          <Trash2 aria-hidden /> {action}
        </Button>
      )}
    </div>
  );
}
