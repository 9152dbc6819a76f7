import { expect, test } from '@jest/globals';
import { inBrowser } from './console.js';

const MARKUP = '<img src=x onerror="document.title=`broken in`"> <b>bold</b>';

inBrowser('a conversation', (desk) => {
  test('what was said is text, whatever is in it', async () => {
    const { open, api } = desk();
    await api('texts').add([MARKUP], { producer: 'mallory' });
    const page = await open('/p/texts/main/episodes');
    await page.getByText(MARKUP).waitFor();
    expect(await page.locator('article img, article b').count()).toBe(0);
    expect(await page.title()).toBe('Episodes · Loci');
  });

  test('a filter is completed, obeyed, and stays in the address', async () => {
    const { open, api } = desk();
    const client = api('filters');
    await client.add(['Tea.', 'Juice.'], { producer: 'mira' });
    await client.add(['Coffee.'], { producer: 'jon' });
    const page = await open('/p/filters/main/episodes');
    await page.getByText('Coffee.').waitFor();
    await page.getByLabel('Filter', { exact: true }).click();
    await page.keyboard.type('producer_i');
    await page.getByRole('option', { name: 'producer_id' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type("d='mira'");
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.getByText('2 messages match').waitFor();
    expect(await page.getByText('Coffee.').count()).toBe(0);
    await page.reload();
    await page.getByText('2 messages match').waitFor();
  });

  test('a filter that cannot be read is told why in its place, once, and nothing is shown as if it matched', async () => {
    const { open, api } = desk();
    const client = api('unreadable');
    await client.add(['Tea.'], { producer: 'mira' });
    const page = await open("/p/unreadable/main/episodes?filter=producer_id%3D'mira'");
    await page.getByText('1 message matches').waitFor();
    for (const view of ['episodes', 'features']) {
      await page.goto(desk().at(`/p/unreadable/main/${view}`));
      await page.getByLabel('Filter', { exact: true }).fill('nonsense = 1');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').allInnerTexts()).toEqual([
        expect.stringMatching(/^Position 1: unknown field 'nonsense'/),
      ]);
      expect(await page.getByText(/Tea\.|match|… features|Delete what/).count()).toBe(0);
    }
    // of features, and no filter of messages
    await page.goto(desk().at("/p/unreadable/main/episodes?filter=tag%3D'travel'"));
    await page.getByText('No message matches the filter').waitFor();
    expect(await page.getByRole('button', { name: 'Delete what matches' }).count()).toBe(0);
  });

  test('what matches is deleted after it was counted and the count was typed', async () => {
    const { open, api } = desk();
    const client = api('deletions');
    await client.add(['Forget one.', 'Forget two.'], { producer: 'mira' });
    await client.add(['Keep this.'], { producer: 'jon' });
    const page = await open("/p/deletions/main/episodes?filter=producer_id%3D'mira'");
    await page.getByRole('button', { name: 'Delete what matches' }).click();
    const confirm = page.getByRole('button', { name: 'Delete 2' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('To delete them, type 2').fill('2');
    await confirm.click();
    await page.getByText('Deleted: 2 of 2').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No message matches the filter').waitFor();
    expect(await page.getByRole('button', { name: 'Delete what matches' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Remove the filter' }).click();
    await page.getByText('Keep this.').waitFor();
  });

  test('what is added or deleted elsewhere is seen at once', async () => {
    const { open, api } = desk();
    const client = api('elsewhere');
    const [first = ''] = await client.add(['Said first.', 'Said next.'], { producer: 'mira' });
    const page = await open('/p/elsewhere/main/episodes', { isImpatient: true });
    await page.getByText('Said next.').waitFor();
    await client.add(['Said meanwhile.'], { producer: 'jon' });
    await page.getByText('3 messages').waitFor();
    await page.getByText('Said meanwhile.').waitFor();
    await client.expect(204, '/memories/episodic/delete', { episodic_id: first });
    await page.getByText('2 messages').waitFor();
    await page.getByText('Said first.').waitFor({ state: 'detached' });
  });
});
