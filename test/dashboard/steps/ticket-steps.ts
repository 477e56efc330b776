import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Walk } from './activity-steps.ts';

/** Keys that sign tickets, and a policy that asks for tickets. */
export function ticketSteps(walk: () => Walk): void {
  const keys = () => walk().lab.page.getByRole('table', { name: 'Keys that sign tickets' });

  test('makes a key that signs tickets, sees it once, and deletes it', async () => {
    const { page } = walk().lab;
    await page.getByRole('link', { name: 'Tickets', exact: true }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('backend');
    await page.getByRole('button', { name: 'Add key' }).click();
    expect(JSON.parse((await page.getByText(/^\{"kty"/).textContent()) ?? '')).toMatchObject({
      alg: 'ES256',
      d: expect.any(String),
    });
    // Neither Escape nor a click next to the panel takes the secret away.
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('The policy does not require tickets').waitFor();
    await page.reload();
    await keys().getByText('backend', { exact: true }).waitFor();
    expect(await page.getByText(/^\{"kty"/).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete the key backend' }).click();
    await page.getByRole('button', { name: 'Delete key' }).click();
    await page.getByText('No keys yet.').waitFor();
  });

  test('adds the public half of a key of its own, and never sends the private one', async () => {
    const { page } = walk().lab;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('my own');
    await page.getByLabel('Type').selectOption('My own public key');
    const secret = privateKey.export({ format: 'jwk' });
    await page.getByLabel('Public key (JWK)').fill(JSON.stringify(secret));
    await page.getByRole('button', { name: 'Add key' }).click();
    await page.getByText('This key contains its private half').waitFor();
    await page.getByLabel('Public key (JWK)').fill(JSON.stringify(publicKey.export({ format: 'jwk' })));
    await page.getByLabel('Issuer').fill('https://id.example');
    await page.getByRole('button', { name: 'Add key' }).click();
    await keys().getByText('Your own').waitFor();
    await keys().getByText('https://id.example').waitFor();
    expect(sent.join()).not.toContain(secret.d);
  });

  test('takes the keys of a login, with who issues its tokens and for whom', async () => {
    const { page } = walk().lab;
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('login');
    await page.getByLabel('Type').selectOption('My login: an OpenID provider that publishes its keys');
    await page.getByLabel('Address of its keys').fill('http://127.0.0.1:9/jwks');
    await page.getByLabel('Issuer').fill('https://login.example');
    await page.getByLabel('Audience').fill('my app');
    await page.getByRole('button', { name: 'Add key' }).click();
    const row = keys().getByRole('row').filter({ hasText: 'A login' });
    await row.waitFor();
    const texts = await row.getByRole('cell').allTextContents();
    expect(texts[1]).toContain('https://login.example');
    expect(texts[1]).toContain('http://127.0.0.1:9/jwks');
    expect(texts[2]).toBe('my app');
  });

  test('has the policy ask for tickets, and limits each of their users', async () => {
    const { page } = walk().lab;
    await page.getByRole('link', { name: 'Policy', exact: true }).click();
    await page.getByRole('button', { name: 'Limit for each sender' }).click();
    await page.getByLabel('Per', { exact: true }).last().selectOption('Each user of a ticket');
    await page.getByLabel('Maximum', { exact: true }).last().fill('3');
    await page.getByText('It bounds what one login can spend.').waitFor();
    await page.getByText('A limit per user of a ticket needs tickets').waitFor();
    await page.getByLabel('Require a ticket').selectOption('needed');
    await page.getByText('A limit per user of a ticket needs tickets').waitFor({ state: 'detached' });
    const changes = page.getByRole('region', { name: 'Your changes' });
    await changes.getByText('Every request needs a ticket.').waitFor();
    await changes.getByText('Each user of a ticket may have 3 operations in a day.').waitFor();
    await page.getByRole('button', { name: /^Save (policy|anyway)$/ }).click();
    await page.getByText('Policy saved.').last().waitFor();
    await page.getByRole('link', { name: 'Tickets', exact: true }).click();
    await page.getByText('The policy requires a ticket.').waitFor();
  });
}
