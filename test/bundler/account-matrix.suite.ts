import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { BaseError, http } from 'viem';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { DevnetToken } from '../../server/dev/devnet/devnet.ts';
import { expectedOutcome } from '../support/accounts/account-matrix.ts';
import { type MatrixAccount, matrixAccounts, type OpenedAccount } from '../support/accounts/matrix-accounts.ts';
import { publishedAccounts } from '../support/accounts/published/published-accounts.ts';
import { sendFromAccount } from '../support/accounts/send-from-account.ts';
import { incrementsOf, mint, tokenWith } from '../support/chain/chain-lab.ts';
import { readLanded } from '../support/published-clients/biconomy-bundler.ts';
import { type BundlerLab, openBundlerLab } from './bundler-lab.ts';

/** With a node of a public chain, the accounts whose code is copied from there. */
const codeNode = inject('codeNode');
const accounts = codeNode === '' ? matrixAccounts : publishedAccounts(codeNode);

describe.each(['own', 'of the bundler too'] as const)('with estimates %s', (estimates) => {
  let lab: BundlerLab;
  beforeAll(async () => {
    lab = await openBundlerLab({ estimates });
  });
  afterAll(() => lab.close());

  /** What alto asks for gas: viem would double what the node suggests. */
  function feesOf({ version }: MatrixAccount) {
    const entryPoint = { address: lab.devnet.entryPoints[version], version };
    const client = createPimlicoClient({ transport: http(lab.bundler.url, { retryCount: 0 }), entryPoint });
    return async () => (await client.getUserOperationGasPrice()).fast;
  }

  async function send(row: MatrixAccount, opened: OpenedAccount, token?: DevnetToken): Promise<void> {
    const { devnet, bundler } = lab;
    const before = await incrementsOf(devnet, opened.account.address);
    const given = { bundlerUrl: bundler.url, paymaster: lab.paymaster(row.version), fees: feesOf(row) };
    const hash = await sendFromAccount(devnet, opened, { ...given, ...(token === undefined ? {} : { token }) });
    await vi.waitFor(() => readLanded(bundler.url, hash), { timeout: 30_000 });
    expect(await incrementsOf(devnet, opened.account.address)).toBe(before + 1n);
  }

  describe.each(accounts)('$kind on EntryPoint $version', (row) => {
    test.each(['SPONSORED', 'ERC20'] as const)('%s', async (mode) => {
      const opened = await row.open(lab.devnet);
      const token = mode === 'ERC20' ? tokenWith(lab.devnet, 6) : undefined;
      if (token !== undefined) await mint(lab.devnet, token, opened.account.address, 1_000n * 10n ** 6n);
      const outcome = expectedOutcome(row, { mode, through: 'alto' });
      for (let nth = 0; nth < 2; nth += 1) {
        if (outcome === 'lands') await send(row, opened, token);
        else {
          const refused = await send(row, opened, token).catch((error: unknown) => error);
          expect(refused).toBeInstanceOf(BaseError);
          expect((refused as BaseError).message).toMatch(outcome.sentence);
        }
      }
    });
  });
});
