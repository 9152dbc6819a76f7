import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
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

  test('a hundred thousand messages scroll, and only those in sight are asked for and drawn', async () => {
    const { open, api } = desk();
    await api('long').add(['One.']);
    const page = await open('/nowhere');
    let asked = 0;
    await page.route('**/api/v2/memories/list', async (route) => {
      const { page_num: number = 0, page_size: size } = route.request().postDataJSON() as {
        readonly page_num?: number;
        readonly page_size: number;
      };
      asked += 1;
      const episodes = Array.from({ length: size }, (_, index) => ({
        uid: `u${number * size + index}`,
        content: `Message ${number * size + index}. ${'It is long. '.repeat((index * 7) % 40)}`,
        created_at: '2026-05-01T08:00:00.000Z',
        producer_id: index % 2 === 0 ? 'mira' : 'agent',
        producer_role: index % 2 === 0 ? 'user' : 'assistant',
        produced_for_id: '',
        metadata: {},
      }));
      await route.fulfill({
        headers: { 'x-total-count': '100000' },
        json: { status: 0, content: { episodic_memory: episodes } },
      });
    });
    await page.goto(desk().at('/p/long/main/episodes'));
    await page.getByText('Message 99999.').waitFor();
    const list = page.getByRole('region', { name: 'Messages, oldest first' });
    // by the clock, not by frames, which a browser of a busy machine may not draw
    const isDrawn = `(() => {
      const list = document.querySelector('[aria-label="Messages, oldest first"]');
      const sight = list.getBoundingClientRect();
      const rows = [...list.querySelectorAll('article')].map((row) => row.getBoundingClientRect());
      return Math.min(...rows.map(({ top }) => top)) <= sight.top + 50
        && Math.max(...rows.map(({ bottom }) => bottom)) >= sight.bottom - 50;
    })()`;
    for (let step = 0; step < 30; step += 1) {
      await page.evaluate(`document.querySelector('[aria-label="Messages, oldest first"]').scrollTop -= 400`);
      await eventually(() => page.evaluate<boolean>(isDrawn), { what: 'what is in sight is drawn' });
    }
    await page.evaluate(`(() => {
      const list = document.querySelector('[aria-label="Messages, oldest first"]');
      list.scrollTop = list.scrollHeight / 2;
    })()`);
    await page
      .getByText(/^Message [45]\d{4}\./)
      .first()
      .waitFor();
    expect(await list.getByRole('article').count()).toBeLessThan(60);
    await list.focus();
    await page.keyboard.press('Home');
    await page.getByText('Message 0.').waitFor();
    expect(asked).toBeLessThan(40);
  });
});
