import { Plus } from 'lucide-react';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { Refused } from './states.js';

interface CreateProps {
  /** What is made, as the button and the dialog name it: `New key`. */
  readonly title: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that asks in a dialog for what is to be made. */
export function Create({ title, children }: CreateProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {title}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={title}>
        {children(close)}
      </Dialog>
    </>
  );
}

interface CreateFormProps {
  /** What the button says that makes it. */
  readonly action: string;
  readonly making: { readonly mutate: () => void; readonly isPending: boolean; readonly error: unknown };
  /** Fields that say their own problems. */
  readonly besides: readonly string[];
  readonly children: ReactNode;
}

/** The fields of what is made, why it was refused, and the button that makes it. */
export function CreateForm({ action, making, besides, children }: CreateFormProps) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      {children}
      <Refused error={making.error} besides={besides} />
      <Button type="submit" look="primary" className="justify-self-end" isBusy={making.isPending}>
        {action}
      </Button>
    </form>
  );
}
