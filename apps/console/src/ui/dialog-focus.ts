import { useRef } from 'react';

/** Where one types first. */
const FIRST = ':is(form :is(input, select, textarea), [cmdk-input]):not(:disabled)';

/**
 * Where the keyboard is: who opens a form goes on in its first field, who opens what is read chooses nothing by it; who
 * closes it is back where it was opened, and in the view to which it has led.
 */
export function useFocus() {
  const opener = useRef<Element>(null);
  const openedAt = useRef<string>(null);
  return {
    onOpenAutoFocus: (event: Event): void => {
      event.preventDefault();
      opener.current = document.activeElement;
      openedAt.current = location.pathname;
      const { target } = event;
      if (!(target instanceof HTMLElement)) return;
      const field = target.querySelector<HTMLElement>(FIRST);
      (field ?? target).focus();
    },
    onCloseAutoFocus: (event: Event): void => {
      event.preventDefault();
      const { current: from } = opener;
      // what was deleted has no button any more, and what an address opened never had one
      const isThere = from?.isConnected === true && from !== document.body;
      const back = isThere && openedAt.current === location.pathname ? from : document.querySelector('main');
      if (back instanceof HTMLElement) back.focus();
    },
  };
}
