import { chromium } from 'playwright-core';
import { existsSync } from 'node:fs';

/** Where distributions put it; first the one that draws no window around its pages, which takes half the time. */
const OF_THE_SYSTEM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * A Chromium of this machine: the one that CHROMIUM_PATH names, that of the system, or what
 * `npx playwright-core install chromium` has installed.
 */
export const chromiumPath = [
  process.env['CHROMIUM_PATH'] ?? '',
  ...OF_THE_SYSTEM,
  chromium.executablePath(),
].find((path) => existsSync(path));
