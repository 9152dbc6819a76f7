import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { type Locator } from 'playwright-core';
import { inBrowser } from './console.js';

/** The address changes before the view does. */
const says = (field: Locator, text: string): Promise<unknown> =>
  eventually(async () => (await field.inputValue()) === text, { what: `the field says '${text}'` });

inBrowser('forms that an address fills in', (desk) => {
  test('say again after the way back what the page shows', async () => {
    const { open, api } = desk();
    await api('went').add(['Tea, please.', 'Coffee, please.'], { producer: 'mira' });
    const page = await open('/p/went/main/search?q=tea&a=%7B%22top_k%22%3A1%7D');
    const query = page.getByLabel('Query');
    const hits = page.getByRole('spinbutton', { name: 'Hits' });
    await query.fill('coffee');
    await hits.fill('2');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=coffee/);
    // one goes on typing where one was
    expect(await page.evaluate('document.activeElement.type')).toBe('number');
    await page.goBack();
    await page.waitForURL(/q=tea/);
    await says(query, 'tea');
    await says(hits, '1');
    const navigation = page.getByRole('navigation').first();
    await navigation.getByRole('link', { name: 'Recall' }).click();
    // the view before has a query, too
    await page.getByRole('heading', { name: 'Recall', level: 1 }).waitFor();
    await query.fill('tea');
    await page.getByLabel('User').fill('mira');
    await page.getByRole('button', { name: 'Recall', exact: true }).click();
    await page.waitForURL(/user=mira/);
    await navigation.getByRole('link', { name: 'Recall' }).click();
    await page.waitForURL(/recall$/);
    await says(query, '');
    await says(page.getByLabel('User'), '');
    await page.goBack();
    await page.waitForURL(/user=mira/);
    await says(query, 'tea');
    await says(page.getByLabel('User'), 'mira');
    await navigation.getByRole('link', { name: 'Audit' }).click();
    const operation = page.getByLabel('Operation');
    await operation.fill('POST /api/v2/keys');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/operation=/);
    await page.goBack();
    await page.waitForURL(/audit$/);
    await says(operation, '');
  });

  test('sets of a user that were typed for one project are not those of another', async () => {
    const { open, api } = desk();
    for (const project of ['one', 'two']) {
      const client = api('sets-typed', project);
      await client.add(['Tea, please.']);
      await client.expect(201, '/memories/semantic/set_type', { metadata_tags: ['user_id'], name: 'Users' });
    }
    const page = await open('/p/sets-typed/one/features?sets=user_id%3Dmira');
    const user = page.getByLabel('Sets of user_id');
    expect(await user.inputValue()).toBe('mira');
    await user.fill('jon');
    await page.keyboard.press('Enter');
    await page.waitForURL(/user_id%3Djon/);
    // one goes on typing where one was
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Sets of user_id');
    await page.goBack();
    await page.waitForURL(/user_id%3Dmira/);
    await says(user, 'mira');
    await page.getByRole('navigation').first().getByRole('link', { name: 'Features' }).click();
    await page.waitForURL(/features$/);
    await says(user, '');
    await user.fill('ada');
    await page.getByLabel('Project', { exact: true }).selectOption('sets-typed / two');
    await page.waitForURL(/two\/features$/);
    await says(user, '');
  });

  test('quotas of an organization that no address names are those of one that has a project', async () => {
    const { open, api, at } = desk();
    await api('went').add(['Tea, please.']);
    const page = await open('/nowhere');
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/v2/quotas') asked.push(searchParams.get('org_id') ?? '');
    });
    await page.goto(at('/quotas'));
    await page.getByRole('meter').first().waitFor();
    expect(asked).toEqual([await page.getByLabel('Organization').inputValue()]);
    expect(asked).not.toContain('universal');
  });
});
