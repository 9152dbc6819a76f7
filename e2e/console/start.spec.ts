import { expect, test } from '@jest/globals';
import { haveVectors, inBrowser } from './console.js';

inBrowser('the first run', (desk) => {
  test('a sample is stored, seen and found', async () => {
    const page = await desk().open('/start');
    await page.getByLabel('Organization', { exact: true }).fill('first-run');
    await page.getByRole('button', { name: 'Store the sample' }).click();
    await page.getByText('7 messages are stored').waitFor();
    await page.getByRole('link', { name: 'See them' }).click();
    await page.getByText('My daughter Mia comes along.').waitFor();
    await haveVectors(desk().api('first-run', 'travel-agent'));
    await page.goBack();
    await page.goto(
      desk().at('/p/first-run/travel-agent/search?q=Where%20does%20Alice%20like%20to%20sit%3F'),
    );
    await page.getByText('I always take a window seat').filter({ visible: true }).first().waitFor();
    // every message is among the newest, and has a score all the same
    await page
      .getByRole('img', { name: /^Score parts: .*Meaning \d/ })
      .first()
      .waitFor();
  });

  test('a model is tried while one waits: its error is told in full, and the stand-in answers', async () => {
    const { open, models } = desk();
    const page = await open('/start');
    await page.getByRole('button', { name: 'Use the stand-in' }).click();
    await page.getByText('npm start reaches it while only this machine reaches Loci.').waitFor();
    const register = page.getByRole('button', { name: 'Register and try it' });
    await page.getByLabel('API key').fill('wrong-key');
    await page.getByLabel('Address').fill(models.openAiUrl);
    await register.click();
    await page.getByText('The model is registered, and does not work').waitFor();
    await page.getByText('A model has this name: what you type replaces it, its key too.').waitFor();
    await page.getByRole('button', { name: 'Replace and try it' }).waitFor();
    await page.getByLabel('Name here').fill('stand-in-2');
    await page.getByLabel('API key').fill('any');
    await register.click();
    await page.getByText('The model answers: it is ready.').waitFor();
  });

  test('snippets have the address of the reader and never a key', async () => {
    const { open, loci, key } = desk();
    const page = await open('/start');
    for (const language of ['curl', 'TypeScript', 'Python']) {
      await page.getByRole('tab', { name: language }).first().click();
      const text = await page.getByLabel(`Add a message: ${language}`).innerText();
      expect(text).toContain(loci.url);
      expect(text).toContain('LOCI_KEY');
      expect(text).not.toContain(key);
      if (language !== 'curl') expect(text).toMatch(/^(\/\/|#) .*\b(npm|pip) install /);
    }
    expect(await page.getByLabel('Model Context Protocol: MCP').innerText()).toContain(`${loci.url}/mcp`);
  });
});
