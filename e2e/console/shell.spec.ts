import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { hindrances, inBrowser } from './console.js';
import { openPalette } from './keyboard.js';

inBrowser('the frame of the views', (desk) => {
  test('the keyboard alone goes anywhere', async () => {
    const { open, api, at } = desk();
    await api('keyboard').add(['Hello.']);
    const page = await open('');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await openPalette(page);
    await page.keyboard.type('keyboard');
    await page.getByRole('option', { name: 'keyboard / main', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Hello.').waitFor();
    expect(page.url()).toBe(at('/p/keyboard/main/episodes'));
    await openPalette(page);
    await page.keyboard.type('Audit');
    await page.getByRole('option', { name: 'Audit', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement !== document.body')).toBe(true);
  });

  test('of ten thousand projects that are listed late, each is found by what was typed before', async () => {
    const { open, api, at } = desk();
    await api('listed-late').add(['Late.']);
    const others = Array.from({ length: 10_000 }, (_, index) => ({
      org_id: `a${index % 97}`,
      project_id: `assistant-${index}`,
    }));
    let answer = (): void => undefined;
    const typed = new Promise<void>((resolve) => (answer = resolve));
    const page = await open('/nowhere');
    await page.route('**/api/v2/projects/list', async (route) => {
      await typed;
      await route.fulfill({ json: [...others, { org_id: 'listed-late', project_id: 'main' }] });
    });
    await page.goto(at(''));
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await openPalette(page);
    await page.keyboard.type('listed-late');
    await page.getByText('The projects are on their way').waitFor();
    answer();
    await page.getByRole('option', { name: 'listed-late / main' }).waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('assistant-9876');
    await page.getByRole('option', { name: 'a79 / assistant-9876', selected: true }).waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('assistant');
    await page.getByText('9,950 more projects: type more of a name.').waitFor();
    expect(await page.getByRole('option').count()).toBe(50);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('listed-late');
    await page.getByRole('option', { name: 'listed-late / main', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Late.').waitFor();
    expect(page.url()).toBe(at('/p/listed-late/main/episodes'));
  });

  test('another project is not shown a user, a session or an entry of the one before', async () => {
    const { open, api, at } = desk();
    await api('switched', 'support').add(['Hello.'], { producer: 'ada' });
    await api('switched', 'archive').add(['Other.'], { producer: 'ada' });
    const page = await open('/p/switched/support/users/ada');
    const pick = (name: string) => page.getByLabel('Project', { exact: true }).selectOption(name);
    await page.getByRole('button', { name: 'Forget ada' }).waitFor();
    await pick('switched / archive');
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    expect(page.url()).toBe(at('/p/switched/archive/users'));
    await page.goto(at('/p/switched/archive/sessions/one'));
    await pick('switched / support');
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    await page.goto(at('/p/switched/support/episodes?marked=0197a3f2-6b1c-7d44-9c1e-2f6a8b0d4e11'));
    await page.getByText('Hello.').waitFor();
    await pick('switched / archive');
    await page.getByText('Other.').waitFor();
    expect(page.url()).toBe(at('/p/switched/archive/episodes'));
  });

  test('colours are chosen and remembered', async () => {
    const page = await desk().open('', { colorScheme: 'light' });
    await page.getByLabel('Colours').selectOption('dark');
    const isDark = (): Promise<boolean> =>
      page.evaluate(`getComputedStyle(document.documentElement).colorScheme === 'dark'`);
    await eventually(isDark, { what: 'it is dark' });
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await isDark()).toBe(true);
  });

  test('it says when Loci is not reached, and goes on by itself when it is', async () => {
    const page = await desk().open('');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('Loci is not reached.').waitFor();
    // a view whose code is not there yet
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByText('Loci was not reached').waitFor();
    await page.context().setOffline(false);
    await page.getByText('Loci is not reached.').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    desk().complaints.splice(0);
  });

  test('a view whose code is gone, because Loci was updated, comes when the page is reloaded', async () => {
    const { open, at } = desk();
    const page = await open('');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const gone = '**/console/assets/keys-page-*.js';
    await page.route(gone, (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    expect(page.url()).toBe(at('/keys'));
    desk().complaints.splice(0);
  });

  test('a view whose code stays away says that Loci was updated, and does not load the page for ever', async () => {
    const page = await desk().open('');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.route('**/console/assets/quotas-page-*.js', (route) => route.fulfill({ status: 404 }));
    // the page is loaded again once, in vain
    const loaded = page.waitForEvent('load');
    await page.getByRole('navigation').getByRole('link', { name: 'Quotas' }).click();
    await loaded;
    await page.getByText('Loci was updated').waitFor();
    await page.getByText('This page is of another version of Loci').waitFor();
    await page.getByRole('button', { name: 'Reload the page' }).waitFor();
    expect(await hindrances(page)).toEqual([]);
    desk().complaints.splice(0);
  });

  test('the menu of a narrow page leads on', async () => {
    const page = await desk().open('', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
