import { type ReactNode, type SubmitEvent } from 'react';
import { Button } from './button.js';
import { cn } from './cn.js';
import { Refused } from './states.js';

interface FormProps {
  /** What the button says that sends it. */
  readonly action: string;
  readonly sending: { readonly mutate: () => void; readonly isPending: boolean; readonly error: unknown };
  /** Fields that say their own problems. */
  readonly besides: readonly string[];
  /** What is said once it was taken. */
  readonly done?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Fields that are sent together, why they were refused or what became of them, and the button that sends them. */
export function Form({ action, sending, besides, done, className, children }: FormProps) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    sending.mutate();
  };
  return (
    <form onSubmit={submit} className={cn('grid gap-3', className)}>
      {children}
      <Refused error={sending.error} besides={besides} />
      {done}
      <Button type="submit" look="primary" className="justify-self-end" isBusy={sending.isPending}>
        {action}
      </Button>
    </form>
  );
}
