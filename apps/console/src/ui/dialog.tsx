import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode } from 'react';
import { Button } from './button.js';
import { cn } from './cn.js';
import { useFocus } from './dialog-focus.js';
import { Said } from './said.js';

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  /** `side`: along the right edge, for details of what stays in view. */
  readonly position?: 'middle' | 'side';
  readonly className?: string;
  readonly children: ReactNode;
}

const POSITIONS = {
  middle:
    'top-[max(2rem,8vh)] left-1/2 max-h-[84vh] w-[min(36rem,calc(100vw-1.5rem))] -translate-x-1/2 rounded-lg border',
  side: 'top-0 right-0 h-dvh w-[min(40rem,100vw)] border-l',
};

export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  position = 'middle',
  className,
  children,
}: DialogProps) {
  const focus = useFocus(position === 'middle');
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          className={cn(
            'fixed z-50 flex flex-col border-line bg-raised shadow-xl outline-none',
            POSITIONS[position],
            className,
          )}
          {...focus}
          // a click beside it must not cost what was typed into it
          onInteractOutside={(event) => event.preventDefault()}
          {...(description === undefined && { 'aria-describedby': undefined })}
        >
          <header className="flex items-start gap-3 border-b border-line px-4 py-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-base font-semibold">
                <Said text={title} />
              </Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-0.5 text-sm text-muted">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <Button look="quiet" size="icon" aria-label="Close">
                <X aria-hidden />
              </Button>
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
