import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { type Page } from 'playwright-core';
import { haveVectors, inBrowser } from './console.js';
import { press, type } from './forms.js';
import { hasFocus, openPalette, take } from './keyboard.js';

/** Goes to a view by the palette, after which the keyboard is in the view, not before its navigation. */
async function goTo(page: Page, typed: string, heading: string): Promise<void> {
  await openPalette(page);
  await page.keyboard.type(typed);
  await page.getByRole('option', { name: typed, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  await eventually(() => page.evaluate<boolean>(`document.activeElement.matches('main, main *')`), {
    what: `the keyboard is in ${heading}`,
  });
}

inBrowser('a person with a keyboard alone', (desk) => {
  test('signs in, stores a sample, reads it, forgets a part, searches, and makes a key', async () => {
    const { open, key, api } = desk();
    const page = await open('', { as: '' });
    await take(page, type('API key', `${key}\n`));
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    await goTo(page, 'Get started', 'Get started');
    await take(page, type('Organization', 'walked'));
    await take(page, type('Project', 'trip'));
    await take(page, press('Store the sample'));
    await page.getByText(/^7 messages are stored/).waitFor();
    await hasFocus(page, 'Store the sample');
    await take(page, press('See them'));

    await take(page, press('Message of alice: details'));
    await page.getByRole('dialog', { name: 'Message of alice' }).waitFor();
    await page.keyboard.press('Escape');
    await hasFocus(page, 'Message of alice: details');

    await take(page, type('Filter', "producer_id='bob'"));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.getByText('2 messages match').waitFor();
    await hasFocus(page, 'Filter');
    await take(page, press('Delete what matches'));
    await take(page, type('To delete them, type 2', '2'));
    await take(page, press('Delete 2'));
    await page.getByText('Deleted: 2 of 2').waitFor();
    await take(page, press('Close'));
    await page.getByText('No message matches the filter').waitFor();
    await take(page, press('Remove the filter'));
    await page.getByText('5 messages').waitFor();
    await hasFocus(page, 'Filter');

    await haveVectors(api('walked', 'trip'));
    await goTo(page, 'Search', 'Search');
    await take(page, type('Query', 'Which seat does Alice take?\n'));
    await take(page, press('What the score is made of'));
    await page.getByRole('row', { name: /^Meaning 0\.\d{3}/ }).waitFor();

    await goTo(page, 'Keys', 'Keys');
    await take(page, press('New key'));
    await take(page, type('Name', 'walked'));
    await take(page, press('Make the key'));
    await page
      .getByText(/^loci_\w+/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await take(page, press('Revoke walked'));
    await take(page, press('Revoke for good'));
    await page.getByText('The key ends everywhere').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/keys');
  });
});
