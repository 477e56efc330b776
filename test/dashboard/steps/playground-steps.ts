import { slice } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { test } from 'vitest';
import { sendInOrder } from '../../../server/dev/devnet/devnet-client.ts';
import { buildUserOperation } from '../../../server/dev/user-operation/build-user-operation.ts';
import { bundler } from '../../support/chain/chain-lab.ts';
import { freshKey } from '../../support/service/running-service.ts';
import type { Walk } from './activity-steps.ts';

/** Builds operations of which some would be sponsored, while `record` and `increment` of a contract are. */
export function playgroundSteps(walk: () => Walk): void {
  const explain = async (answer: string) => {
    const { page } = walk().lab;
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText(answer).waitFor();
  };

  test('builds the call of an earlier operation again, with what deploys its account', async () => {
    const { page } = walk().lab;
    const rows = page.getByRole('table', { name: 'Operations' }).locator('tbody tr');
    await rows.filter({ hasText: 'Signed' }).first().locator('.row-link').click();
    await page.getByRole('link', { name: 'Ask again now' }).click();
    await page.getByRole('button', { name: 'Build an operation' }).click();
    await explain('It would be sponsored.');
    await page.getByLabel('Nonce').fill('1');
    await explain('It would be refused.');
  });

  test('builds an operation of an account on the chain, and explains a yes and a no', async () => {
    const { page, service } = walk().lab;
    const owner = privateKeyToAddress(freshKey());
    const { sender, initCode } = await buildUserOperation(service.devnet, { version: '0.7', owner }, []);
    const deployment = { description: 'an account', to: slice(initCode, 0, 20), data: slice(initCode, 20) };
    await sendInOrder(service.devnet.client, bundler, [{ ...deployment, gas: 1_000_000n }]);
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByLabel('Sender').fill(sender);
    await page.getByLabel('Method').selectOption('record(string)');
    await page.getByLabel(/\(string\)$/).fill('from the playground');
    await explain('It would be sponsored.');
    await page.getByLabel('Method').selectOption('pay()');
    await explain('It would be refused.');
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
  });
}
