import type { Page } from 'playwright-core';

/** Signs in with an authToken on the page that asks for it. */
export async function signInWithToken(page: Page, authToken: string): Promise<void> {
  await page.getByLabel('authToken', { exact: true }).fill(authToken);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
