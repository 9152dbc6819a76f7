import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from './button.js';
import { Dialog } from './dialog.js';

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
