import { encodeFunctionData } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { newSmartAccount, nextOperation } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, withAnswer } from '../support/service/chain-sponsorship.ts';
import { freshKey } from '../support/service/running-service.ts';
import { type DashboardLab, openDashboardLab } from './dashboard-lab.ts';

let lab: DashboardLab;

/** Asks the paymaster to pay for `record` of the target, as the newcomer's application does. */
async function askForRecord(rpcUrl: string) {
  const { devnet } = lab.service;
  const data = encodeFunctionData({ abi: devTargetAbi, functionName: 'record', args: ['from a newcomer'] });
  const account = newSmartAccount('0.7');
  const operation = await nextOperation(devnet, account, [{ to: devnet.target.address, data }]);
  const answer = await askSponsorship(rpcUrl, operation);
  return { answer, land: () => land(devnet, account, withAnswer(operation, signedAnswer(answer))) };
}

describeInBrowser('a newcomer', () => {
  beforeAll(async () => {
    lab = await openDashboardLab();
  });
  afterAll(() => lab?.close());

  test('comes from nothing to a bounded, connected paymaster, invites someone, withdraws, and pauses on a phone', async () => {
    const { page, service, open, complaints } = lab;
    await open('');
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click();
    await page.getByRole('link', { name: 'Create your first paymaster' }).click();
    await page.getByRole('button', { name: 'New paymaster' }).click();
    await page.getByLabel('Name').fill('loyalty');
    await page.getByLabel('EntryPoint').selectOption('2.0.0');
    // The limit that bounds what strangers can spend.
    await page.getByLabel('Most per day, in USD').fill('20');
    await page.getByRole('button', { name: 'Create paymaster' }).click();
    await page.getByText('Waiting for your first request …').waitFor();
    const base = new URL(page.url()).pathname.replace(/^\/dashboard\//, '');

    // Sponsors a method of a contract.
    await page.getByRole('link', { name: 'Contracts' }).click();
    await page.getByRole('button', { name: 'Register a contract' }).click();
    await page.getByLabel('Name').fill('counter');
    await page.getByLabel('Address').fill(service.devnet.target.address);
    await page.getByRole('button', { name: 'Fetch the ABI from the explorer' }).click();
    await page.getByText('increment()').click();
    await page.getByRole('button', { name: 'Register contract' }).click();
    await page.getByRole('button', { name: 'Change methods of counter' }).waitFor();

    // Pays for it.
    await page.getByRole('link', { name: 'Gas tank' }).click();
    await page.getByRole('button', { name: 'Set to an account of Test Wallet' }).click();
    await page.getByText('The funding wallet is set.').waitFor();
    await page.getByRole('button', { name: 'Deposit', exact: true }).click();
    await page.getByLabel('Amount in ETH').fill('1.5');
    await page.getByRole('button', { name: 'Deposit with Test Wallet' }).click();
    await page.getByText('The tank has received it.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();

    // Connects: the first request is refused, the page says why and fixes it.
    await page.getByRole('link', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: 'Show RPC URL' }).click();
    const shown = page.locator('dl > div').filter({ has: page.locator('dt', { hasText: /^RPC URL$/ }) });
    const rpcUrl = (await shown.locator('code').first().textContent()) ?? '';
    expect((await askForRecord(rpcUrl)).answer).toMatchObject({ reason: 'METHOD_NOT_WHITELISTED' });
    const first = page.getByRole('region', { name: 'Your first request' });
    await first.getByText('Your newest request arrived, and was refused.').waitFor();
    await first.getByRole('button', { name: 'Sponsor record of counter' }).click();
    await first.getByText('no longer a reason to refuse').waitFor();
    const sponsored = await askForRecord(rpcUrl);
    expect(sponsored.answer).toMatchObject({ httpStatus: 200 });
    await first.getByText('Waiting until its operation lands …').waitFor();
    expect(await first.getAttribute('class')).not.toContain('good');
    await sponsored.land();
    await first.getByText('It works. Your newest operation has landed.').waitFor();
    expect(await first.getAttribute('class')).toContain('good');

    // The limit holds: the policy says it in a sentence.
    await page.getByRole('link', { name: 'Policy', exact: true }).click();
    await expect
      .poll(() =>
        page
          .getByRole('main')
          .locator('input')
          .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value)),
      )
      .toContain('20.00');

    // Invites a colleague.
    const colleague = privateKeyToAddress(freshKey());
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Invite a wallet' }).click();
    await page.getByLabel('Address of the wallet').fill(colleague);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('is invited as viewer').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    const members = page.getByRole('table', { name: 'Members' });
    await members.getByRole('button', { name: 'Copy the invitation' }).waitFor();

    // Withdraws what is left.
    await open(`${base}/gas-tank`);
    await page.getByRole('button', { name: 'Withdraw' }).click();
    const request = page.getByRole('region', { name: 'Request to the operator' });
    await expect.poll(() => request.textContent()).toMatch(/withdraw "1\.4\d* ether"/);
    await page.getByRole('button', { name: 'Close' }).click();

    // Stops everything from a phone.
    await page.setViewportSize({ width: 390, height: 844 });
    await open(`${base}/activity`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Pause paymaster' }).click();
    await page.getByText('This paymaster has been paused since').waitFor();
    expect((await askForRecord(rpcUrl)).answer).toMatchObject({ reason: 'PAYMASTER_PAUSED' });
    expect(complaints).toEqual([]);
  }, 120_000);
});
