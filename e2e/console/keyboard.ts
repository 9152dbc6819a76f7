import { expect } from '@jest/globals';
import { eventually } from '@loci/testing';
import { type Page } from 'playwright-core';
import { type Step } from './forms.js';

/** More steps than any view takes from its beginning to its end. */
const MOST_TABS = 400;

/** So long one goes round: what is looked for may come with an answer, which takes a while on a busy machine. */
const PATIENCE_MS = 60_000;

interface Focus {
  readonly name: string;
  readonly isField: boolean;
  readonly isSeen: boolean;
}

/** What has the focus, by the name that is read out, and whether one sees that it has. */
export const focus = (page: Page): Promise<Focus> =>
  page.evaluate(`(() => {
    const one = document.activeElement;
    const isField = one.matches('input, select, textarea, [contenteditable=true]');
    if (one.matches('body, [role=dialog]')) return { name: '', isField, isSeen: false };
    const labels = [...(one.labels ?? [])].map((label) => label.innerText).join(' ');
    const name = one.getAttribute('aria-label') ?? (labels || one.innerText || one.getAttribute('placeholder') || '');
    let isSeen = false;
    for (let at = one, level = 0; at && level < 6; at = at.parentElement, level += 1) {
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      isSeen ||= outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
    }
    return { name: name.replace(/\\s+/g, ' ').trim(), isField, isSeen };
  })()`);

/** @throws Error when it is not reached, or not seen to be */
export async function tabTo(page: Page, name: string, isField: boolean): Promise<void> {
  const passed: string[] = [];
  const deadline = performance.now() + PATIENCE_MS;
  for (let tabs = 0; tabs < MOST_TABS || performance.now() < deadline; tabs += 1) {
    const at = await focus(page);
    if (at.isField === isField && (at.name === name || at.name.startsWith(`${name} `))) {
      expect({ name, isSeen: at.isSeen }).toEqual({ name, isSeen: true });
      return;
    }
    passed.push(at.name.slice(0, 30));
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} is not reached by Tab, but ${[...new Set(passed)].join(' | ')}.`);
}

/** Goes to a control by Tab, and does there what is to be done. */
export async function take(page: Page, [name, how]: Step): Promise<void> {
  await tabTo(page, name, how !== 'Enter');
  if (typeof how === 'string') {
    await page.keyboard.press(how);
    return;
  }
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(how.text);
}

/** Opens the palette, where one types at once. */
export async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByPlaceholder('Go to a view, a project or a user');
  await field.and(page.locator(':focus')).waitFor();
}

export const hasFocus = (page: Page, name: string): Promise<unknown> =>
  eventually(async () => (await focus(page)).name === name, { what: `${name} has the focus` });
