import { useRef } from 'react';

/** Where one types first. */
const FIRST = ':is(form :is(input, select, textarea), [cmdk-input]):not(:disabled)';

/**
 * Where the keyboard is: who opens a form goes on in its first field, who opens what is read chooses nothing by it; who
 * closes it is back where it was opened.
 */
export function useFocus() {
  const opener = useRef<Element>(null);
  return {
    onOpenAutoFocus: (event: Event): void => {
      event.preventDefault();
      opener.current = document.activeElement;
      const { target } = event;
      if (!(target instanceof HTMLElement)) return;
      const field = target.querySelector<HTMLElement>(FIRST);
      (field ?? target).focus();
    },
    onCloseAutoFocus: (event: Event): void => {
      event.preventDefault();
      // what was deleted has no button any more
      const back = opener.current?.isConnected === true ? opener.current : document.querySelector('main');
      if (back instanceof HTMLElement) back.focus();
    },
  };
}
