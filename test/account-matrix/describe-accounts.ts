import { BaseError, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DevnetToken } from '../../server/dev/devnet/devnet.ts';
import { expectedOutcome, type Outcome } from '../support/accounts/account-matrix.ts';
import { changeAccountCode } from '../support/accounts/change-account-code.ts';
import type { MatrixAccount, OpenedAccount } from '../support/accounts/matrix-accounts.ts';
import { sendFromAccount } from '../support/accounts/send-from-account.ts';
import { incrementsOf, mint, tokenBalance, tokenWith } from '../support/chain/chain-lab.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';

/** Each account sends two operations, of which the first creates it, sponsored and paid in a token. */
export function describeAccounts(accounts: readonly MatrixAccount[]): void {
  let lab: ClientLab;
  beforeAll(async () => {
    lab = await openClientLab();
  }, 60_000);
  afterAll(() => lab.close());

  async function send({ version }: MatrixAccount, opened: OpenedAccount, token?: DevnetToken): Promise<void> {
    const { devnet, bundler } = lab;
    const paymaster = lab.paymaster(version);
    const given = { bundlerUrl: bundler.url, paymaster, ...(token === undefined ? {} : { token }) };
    const before = await incrementsOf(devnet, opened.account.address);
    const hash: Hex = await sendFromAccount(devnet, opened, given);
    expect(hash).toMatch(/^0x/);
    expect(await incrementsOf(devnet, opened.account.address)).toBe(before + 1n);
    expect(await devnet.client.getBalance({ address: opened.account.address })).toBe(0n);
  }

  describe.each(accounts)('$kind on EntryPoint $version', (row) => {
    test('sponsored: the operation that creates the account, and the next one', async () => {
      const opened = await row.open(lab.devnet);
      for (let nth = 0; nth < 2; nth += 1)
        await expectOutcome(expectedOutcome(row, { mode: 'SPONSORED', through: 'dev' }), () => send(row, opened));
    });

    if (row.clientReadsCode !== true && expectedOutcome(row, { mode: 'SPONSORED', through: 'dev' }) === 'lands') {
      test('refused once the code that runs differs in one byte', async () => {
        const opened = await row.open(lab.devnet);
        await send(row, opened);
        await changeAccountCode(lab.devnet, opened.account.address);
        await expect(send(row, opened)).rejects.toThrow(/The code at 0x\w{40} is not known/);
      });
    }

    test('paid in a token: the operation that creates the account, and the next one', async () => {
      const opened = await row.open(lab.devnet);
      const token = tokenWith(lab.devnet, 6);
      const amount = 1_000n * 10n ** 6n;
      await mint(lab.devnet, token, opened.account.address, amount);
      for (let nth = 0; nth < 2; nth += 1) {
        const before = await tokenBalance(lab.devnet, token, opened.account.address);
        await expectOutcome(expectedOutcome(row, { mode: 'ERC20', through: 'dev' }), () => send(row, opened, token));
        expect(await tokenBalance(lab.devnet, token, opened.account.address)).toBeLessThan(before);
      }
    });
  });
}

async function expectOutcome(outcome: Outcome, sent: () => Promise<void>): Promise<void> {
  if (outcome === 'lands') return sent();
  const refused = await sent().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(refused instanceof BaseError)) throw refused ?? new Error('The operation landed.');
  expect(refused.message).toMatch(outcome.sentence);
}
