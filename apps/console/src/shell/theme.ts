import { useSyncExternalStore } from 'react';

/** `system`: as the device says. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'loci-theme';
const listeners = new Set<() => void>();

const stored = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';

/** Before the first view is shown, so that it does not change its colours. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = stored();
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTheme = (): Theme => useSyncExternalStore(subscribe, stored);
