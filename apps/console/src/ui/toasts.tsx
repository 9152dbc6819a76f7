import { useSyncExternalStore } from 'react';
import { Said } from './said.js';

const SHOWN_MS = 5000;

let shown: readonly { readonly id: number; readonly text: string }[] = [];
let latest = 0;
const listeners = new Set<() => void>();

function change(to: typeof shown): void {
  shown = to;
  for (const listener of listeners) listener();
}

/** Says for a few seconds that something was done. */
export function say(text: string): void {
  latest += 1;
  const id = latest;
  change([...shown, { id, text }]);
  setTimeout(() => change(shown.filter((toast) => toast.id !== id)), SHOWN_MS);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <div role="status" className="pointer-events-none fixed right-4 bottom-4 z-50 grid gap-2">
      {toasts.map(({ id, text }) => (
        <p key={id} className="max-w-sm rounded-md bg-ink px-3 py-2 text-sm text-ground shadow-lg">
          <Said text={text} />
        </p>
      ))}
    </div>
  );
}
