import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { inBrowser } from './console.js';
import { openPalette } from './keyboard.js';

inBrowser('a user', (desk) => {
  test('has sessions, is exported and forgotten', async () => {
    const { open, api } = desk();
    const metadata = { user_id: 'mira', session_id: 'lisbon' };
    await api('users').add(['I fly to Lisbon.', 'In May.'], { producer: 'mira', metadata });
    const page = await open('/p/users/main/users');
    await page.getByRole('link', { name: 'mira' }).click();
    await page.getByRole('link', { name: /lisbon 2 messages/ }).click();
    await page.getByRole('heading', { name: 'lisbon', level: 1 }).waitFor();
    const save = async (): Promise<string> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export' }).click(),
      ]);
      return readFile(await download.path(), 'utf8');
    };
    expect((await save()).split('\n')).toHaveLength(2);
    await page.getByRole('button', { name: 'Forget this session' }).click();
    await page.getByText('2 messages match now').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'mira' }).click();
    // the view of the session exports, too
    await page.getByRole('heading', { name: 'mira', level: 1 }).waitFor();
    expect(await save()).toContain('I fly to Lisbon.');
    await page.getByRole('button', { name: 'Forget mira' }).click();
    await page.getByText('What others say of mira elsewhere stays').waitFor();
    await page.getByLabel('To delete them, type 2').fill('2');
    await page.getByRole('button', { name: 'Delete 2' }).click();
    await page.getByText('Deleted: 2 of 2').waitFor();
  });

  test('is opened whatever its name is, and so is a session', async () => {
    const { open, api } = desk();
    for (const name of ['.', '..', '~..', 'a/b?c=d#e']) {
      const metadata = { user_id: name, session_id: name };
      await api('dots').add([`I am ${name}`], { producer: name, metadata });
    }
    const page = await open('/p/dots/main/users');
    for (const name of ['.', '..', '~..', 'a/b?c=d#e']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
      await page.getByRole('link', { name: `${name} 1 message`, exact: false }).click();
      await page.getByText('A session of dots / main').waitFor();
      await page.reload();
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
      await page.getByText('A session of dots / main').waitFor();
      await page.getByRole('link', { name: 'Users', exact: true }).click();
    }
  });

  test('has a profile, in which each category is named once', async () => {
    const { open, api } = desk();
    const client = api('profiles');
    await client.add(['By the window, please.'], { producer: 'mira' });
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    const seat = { category_name: 'profile', tag: 'travel', feature: 'seat', value: 'window' };
    await client.expect(201, '/memories/semantic/feature', { set_id, subject: 'mira', ...seat });
    const page = await open('/p/profiles/main/users/mira');
    const known = page.getByRole('region', { name: 'What is known' });
    await known.getByRole('listitem').filter({ hasText: 'seat: window' }).waitFor();
    expect((await known.innerText()).match(/profile/gi)).toHaveLength(1);
    await openPalette(page);
    await page.keyboard.type('mira');
    await page.getByRole('option', { name: /^Open user/ }).waitFor();
    await page.keyboard.press('Escape');
    await known.getByRole('link', { name: 'seat' }).click();
    await page.getByRole('dialog', { name: 'seat' }).waitFor();
  });

  test('has features in sets of their own, which are shown and exported', async () => {
    const { open, api } = desk();
    const client = api('own-sets');
    await client.expect(201, '/memories/semantic/set_type', { metadata_tags: ['user_id'], name: 'Per user' });
    const wanted = { metadata_tags: ['user_id'], set_metadata: { user_id: 'mira' } };
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', wanted);
    const category = { category_name: 'tastes', prompt: 'Look for tastes.', description: 'Tastes.' };
    await client.expect(201, '/memories/semantic/category', { set_id, ...category });
    const tea = {
      category_name: 'tastes',
      tag: 'food',
      feature: 'drink',
      value: 'green tea',
      subject: 'mira',
    };
    const citations = await client.add(['I drink green.'], {
      producer: 'mira',
      metadata: { user_id: 'mira' },
    });
    const cited = { feature_metadata: {}, citations };
    await client.expect(201, '/memories/semantic/feature', { set_id, ...tea, ...cited });
    const page = await open('/p/own-sets/main/users/mira');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).split('\n');
    const [known, ...others] = lines.filter((line) => line.includes('green tea'));
    expect(JSON.parse(known ?? '{}')).toMatchObject({ citations });
    expect(others).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'Features' }).click();
    await page.getByRole('heading', { name: 'Per user · user_id mira 1', exact: true }).waitFor();
  });

  test('is listed, however many messages others have said since', async () => {
    const { open, api } = desk();
    const client = api('crowd');
    const say = (name: string, count: number): Promise<string[]> =>
      client.add(
        Array.from({ length: count }, () => 'Hello.'),
        { producer: name, metadata: { user_id: name, session_id: `of ${name}` } },
      );
    await say('early', 1);
    // more than one page of the API looks through
    for (let round = 0; round < 6; round += 1) await say('chatty', 1_000);
    const page = await open('/p/crowd/main/users');
    await page.getByRole('row').filter({ hasText: 'chatty' }).getByText('6000', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'early' }).click();
    await page.getByRole('link', { name: /of early 1 message/ }).click();
    await page.getByRole('link', { name: 'early' }).waitFor();
  });
});
