import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { hindrances, inBrowser } from './console.js';
import { openPalette } from './keyboard.js';

let receiver: Server;
let url: string;
let status = 204;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end());
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/loci`;
});

afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

inBrowser('webhooks', (desk) => {
  test('one is made, tried, looked at, disabled and enabled, gets a new secret, and is deleted', async () => {
    const { open, api, at } = desk();
    const client = api('hooks');
    await client.expect(201, '/projects', {});
    const bound = { name: 'x', org_id: 'hooks', project_id: null };
    const { secret } = await client.expect(201, '/keys', { ...bound, scopes: ['admin'] });
    const page = await open('', { as: String(secret) });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await openPalette(page);
    await page.keyboard.type('Webhooks');
    await page.getByRole('option', { name: 'Webhooks', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('No webhook yet').waitFor();

    await page.getByRole('button', { name: 'New webhook' }).click();
    const form = page.getByRole('dialog', { name: 'New webhook' });
    await form.getByLabel('Address').fill('http://169.254.169.254/latest');
    await form.getByRole('button', { name: 'Make the webhook' }).click();
    await form.getByRole('alert').waitFor();
    await form.getByLabel('Address').fill(url);
    await form.getByLabel('features.changed').check();
    expect(await form.getByLabel('Organization').inputValue()).toBe('hooks');
    expect(await hindrances(page)).toEqual([]);
    await form.getByRole('button', { name: 'Make the webhook' }).click();
    await form.getByText(/whsec_/).waitFor();
    await form.getByRole('button', { name: 'Done' }).click();
    await page.getByText(/whsec_/).waitFor({ state: 'detached' });

    const row = page.getByRole('row', { name: /features\.changed/ });
    await row.getByText('nothing delivered yet', { exact: true }).waitFor();
    await row.getByRole('button', { name: url }).click();
    const details = page.getByRole('dialog', { name: 'Webhook' });
    await details.getByText('Nothing was sent yet').waitFor();
    await details.getByRole('button', { name: 'Send a test' }).click();
    await details.getByText(/^The test was delivered \(HTTP 204, /).waitFor();
    status = 503;
    await details.getByRole('button', { name: 'Send a test' }).click();
    await details.getByText(/^The test was not delivered \(HTTP 503, /).waitFor();
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    const feature = { set_id, category_name: 'profile', tag: 'food', feature: 'drink', value: 'tea' };
    await client.expect(201, '/memories/semantic/feature', feature);
    await eventually(
      async () => {
        await details.getByRole('button', { name: 'Refresh' }).click();
        return (await details.getByText('retrying').count()) > 0;
      },
      { what: 'the delivery that failed is shown' },
    );

    await page.keyboard.press('Escape');
    await page.reload();
    await row.getByText('The receiver answered HTTP 503.').waitFor();
    await row.getByRole('button', { name: url }).click();

    // a link to it shows the same, on a narrow page too
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await details.getByText('The receiver answered HTTP 503.').first().waitFor();
    await details.getByText('failing', { exact: true }).waitFor();
    expect(await hindrances(page)).toEqual([]);
    await details.getByRole('button', { name: 'Disable' }).click();
    await details.getByText('disabled', { exact: true }).waitFor();
    await details.getByLabel('Leave out what was not delivered').check();
    await details.getByRole('button', { name: 'Enable' }).click();
    await details.getByText('nothing delivered yet', { exact: true }).waitFor();
    await details.getByRole('button', { name: 'Make a new secret' }).click();
    await details.getByText(/whsec_/).waitFor();

    const looks = [
      [{ scopes: ['admin'], producer: 'mira' }, 'Deliveries'],
      [{ scopes: ['read', 'write'] }, 'Your key does not allow this'],
    ] as const;
    for (const [rights, said] of looks) {
      const key = await client.expect(201, '/keys', { ...bound, ...rights });
      const other = await open(page.url().slice(at('').length), { as: String(key['secret']) });
      await other.getByText(said).first().waitFor();
      expect(await other.getByRole('button', { name: /webhook|test|able|secret|Delete/ }).count()).toBe(0);
    }

    await details.getByRole('button', { name: 'Delete' }).click();
    await details.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('No webhook yet').waitFor();
  });
});
