import { readFileSync } from 'node:fs';
import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Walk } from './activity-steps.ts';

/** A field and a value of a known field as a later service may have them, with what a form takes for empty. */
const invented = { surcharge: { percent: '', of: [], unless: {} } };
const inventedLimit = { per: 'INVENTED', window: 'DAY', unit: 'OPERATIONS', max: '5', invented: '' };

/** Gives the policies of an answer more than the page knows. */
async function addInvented(route: Route): Promise<void> {
  const response = await route.fetch();
  const answer = (await response.json()) as { data: { policy: object }[] };
  const data = answer.data.map((each) => ({
    ...each,
    later: 'kept',
    policy: { ...each.policy, ...invented, limits: [inventedLimit] },
  }));
  await route.fulfill({ response, json: { ...answer, data } });
}

const nothingChanges = {
  replayed: 0,
  unpriced: 0,
  unread: 0,
  cutOff: [],
  letIn: [],
  senders: [],
  replayedSenders: 0,
  rules: [],
};

export type NamedPolicyWalk = Walk & {
  /** The reason that a request by a policy is refused with, or that it is signed. */
  readonly askBy: (policyId: string) => Promise<string>;
};

/** From making a policy that requests choose to deleting it. The default policy refuses everything meanwhile. */
export function namedPolicySteps(walk: () => NamedPolicyWalk): void {
  let policyId = '';

  test('makes a policy for a campaign, which no one can choose until it is opened', async () => {
    const { lab, askBy } = walk();
    const { page } = lab;
    await page.getByRole('link', { name: 'Named policies' }).click();
    await page.getByText('No named policies yet.').waitFor();
    await page.getByRole('button', { name: 'New policy' }).click();
    await page.getByLabel('Name', { exact: true }).fill('spring');
    await page.getByLabel('Description').fill('Gas for spring');
    const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    await page.getByLabel('Picture').setInputFiles({ name: 'icon.svg', mimeType: 'image/svg+xml', buffer });
    await page.getByAltText('Current icon').waitFor();
    await page.getByLabel('Start from').selectOption('An empty policy');
    await page.getByRole('button', { name: 'Create policy' }).click();
    await page.getByRole('heading', { name: 'spring', level: 1 }).waitFor();
    policyId = (await page.getByText(/^tfp_/).first().textContent()) ?? '';
    await page.getByRole('heading', { name: 'Using this policy' }).click();
    await page.getByRole('tabpanel').getByText(`paymasterContext: { policyId: '${policyId}' }`).waitFor();
    expect(await askBy(policyId)).toBe('POLICY_NOT_ACCEPTED');
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.getByText('Open', { exact: true }).waitFor();
    expect(await askBy(policyId)).toBe('signed');
  });

  test('changes what it pays for, after a preview', async () => {
    const { lab, askBy } = walk();
    const { page } = lab;
    await page.getByRole('heading', { name: 'For experts', exact: true }).click();
    await page.getByLabel('Maximum gas of one operation').fill('1000');
    await page
      .getByRole('region', { name: 'Preview' })
      .getByText(/^1 of \d+$/)
      .waitFor();
    await page.getByRole('button', { name: /^Save (policy|anyway)$/ }).click();
    await page.getByText('Policy saved.').last().waitFor();
    expect(await askBy(policyId)).toBe('LIMIT_EXCEEDED');
  });

  test('imports named policies from a file, after showing what that changes', async () => {
    const { page } = walk().lab;
    await page.getByRole('link', { name: 'Named policies' }).click();
    await page.getByRole('link', { name: 'spring', exact: true }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Policy', exact: true }).click();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const file = JSON.parse(readFileSync(await (await saved).path(), 'utf8')) as { policies: { name: string }[] };
    const [spring] = file.policies;
    const policies = [spring, { ...spring, name: 'summer', description: 'Gas for summer', enabled: false }];
    const choose = async (label: string, json: object) =>
      page.getByLabel(label).setInputFiles({
        name: 'policies.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(json)),
      });
    await choose('Import a file', { ...file, policies });
    await page.getByText('To take its named policies too (2)').getByRole('link', { name: 'Named policies' }).click();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await choose('File', { policy: {}, policies: 'none' });
    await page.getByText('This file holds no named policies.').waitFor();
    await choose('File', { ...file, policies });
    const steps = page.getByRole('table', { name: 'Policies of the file' }).locator('tbody tr');
    await steps.nth(1).waitFor();
    expect(await steps.allTextContents()).toEqual(['springUnchanged', 'summerNew']);
    await page.getByRole('button', { name: 'Import 1 policy' }).click();
    await page.getByText('Gas for summer').waitFor();
    // One that the service does not take is named, and the file can be chosen again.
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await choose('File', { policy: {}, policies: [{ ...spring, policy: { maxGasPerOperation: -1 } }] });
    await page.getByRole('button', { name: 'Import 1 policy' }).click();
    await page.getByText(/^spring: /).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'summer', exact: true }).click();
    await page.getByRole('tab', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete policy' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('link', { name: 'spring', exact: true }).click();
    await page.getByRole('heading', { name: 'spring', level: 1 }).waitFor();
  });

  test('sends back what the page does not know of a policy, as it came', async () => {
    const { page } = walk().lab;
    await page.route(/\/policies$/, addInvented);
    await page.route(/\/preview$/, (route) => route.fulfill({ json: { statusCode: 200, data: nothingChanges } }));
    await page.reload();
    await page.getByText('settings that this page does not support: surcharge').waitFor();
    await page.getByRole('heading', { name: 'For experts', exact: true }).click();
    await page.getByLabel('Maximum gas of one operation').fill('2000');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Save policy' }).click();
    const { policy, ...head } = (await sent).postDataJSON() as { policy: object };
    expect(policy).toMatchObject({ ...invented, limits: [inventedLimit], maxGasPerOperation: 2_000 });
    expect(head).toMatchObject({ name: 'spring', description: 'Gas for spring', enabled: true, later: 'kept' });
    expect(head).toHaveProperty('icon', expect.stringMatching(/^data:image\/svg\+xml;base64,/));
    // The service of now does not know it either, and says so.
    await page
      .getByText(/must be one of|is not known/)
      .last()
      .waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();
  });

  test('closes and deletes it: what chooses it is refused', async () => {
    const { lab, askBy } = walk();
    const { page } = lab;
    await page.getByRole('button', { name: 'Close it' }).click();
    await page.getByText('Closed', { exact: true }).waitFor();
    expect(await askBy(policyId)).toBe('POLICY_NOT_ACCEPTED');
    await page.getByRole('tab', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete policy' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('heading', { name: 'Named policies', level: 1 }).waitFor();
    await page.getByText('No named policies yet.').waitFor();
  });
}
