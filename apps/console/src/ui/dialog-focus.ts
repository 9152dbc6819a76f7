import { useRef } from 'react';

/** Where one types first. */
const FIRST = ':is(form :is(input, select, textarea), [cmdk-input]):not(:disabled)';

/**
 * Where the keyboard is: who opens a form goes on in its first field, who opens what is read chooses nothing by it; who
 * closes it is back where it was opened, and in the view to which it has led.
 * @param waitsForField a field that comes later gets it, too, unless the user is elsewhere by then
 */
export function useFocus(waitsForField = false) {
  const opener = useRef<Element>(null);
  const openedAt = useRef<string>(null);
  const waiting = useRef<MutationObserver>(null);
  return {
    onOpenAutoFocus: (event: Event): void => {
      event.preventDefault();
      opener.current = document.activeElement;
      openedAt.current = location.pathname;
      const { target } = event;
      if (!(target instanceof HTMLElement)) return;
      const field = target.querySelector<HTMLElement>(FIRST);
      (field ?? target).focus();
      if (!field && waitsForField) waiting.current = focusLater(target);
    },
    onCloseAutoFocus: (event: Event): void => {
      event.preventDefault();
      waiting.current?.disconnect();
      const { current: from } = opener;
      // what was deleted has no button any more, and what an address opened never had one
      const isThere = from?.isConnected === true && from !== document.body;
      const back = isThere && openedAt.current === location.pathname ? from : document.querySelector('main');
      if (back instanceof HTMLElement) back.focus();
    },
  };
}

/** The first field has the focus once it is there, if the dialog itself still has it. */
function focusLater(dialog: HTMLElement): MutationObserver {
  const observer = new MutationObserver(() => {
    const isMoved = document.activeElement !== dialog;
    const field = dialog.querySelector<HTMLElement>(FIRST);
    if (!isMoved && !field) return;
    observer.disconnect();
    if (!isMoved) field?.focus();
  });
  observer.observe(dialog, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return observer;
}
