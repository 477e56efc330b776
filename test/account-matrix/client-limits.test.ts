import { toSafeSmartAccount } from 'permissionless/accounts';
import { http } from 'viem';
import { createBundlerClient, createPaymasterClient, type SmartAccount } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delegateOf } from '../../core/evm/entry-point/eip7702.ts';
import { altoMargins, estimatingWith, type Margins } from '../support/accounts/bundler-margins.ts';
import {
  type MatrixAccount,
  matrixAccounts,
  type OpenedAccount,
  safe141Contracts,
} from '../support/accounts/matrix-accounts.ts';
import { incrementsOf, targetCall } from '../support/chain/chain-lab.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { type ClientLab, chainClient, openClientLab } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

const plain = { retryCount: 0 };

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab();
}, 60_000);
afterAll(() => lab.close());

/** Sends sponsored batches one after the other, each with so many increments, by the methods of ERC-7677. */
async function sendBatches(
  version: MatrixAccount['version'],
  { account, authorize }: OpenedAccount,
  { batches, margins }: { readonly batches: readonly number[]; readonly margins: Margins },
): Promise<void> {
  const { devnet, bundler } = lab;
  const client = createBundlerClient({
    account,
    client: chainClient(devnet),
    transport: estimatingWith(bundler.url, margins),
    paymaster: createPaymasterClient({ transport: http(lab.paymaster(version).rpcUrl, plain) }),
    pollingInterval: 20,
  });
  let expected = await incrementsOf(devnet, account.address);
  for (const count of batches) {
    const isDelegated = delegateOf(await devnet.client.getCode({ address: account.address })) !== undefined;
    const authorization = authorize === undefined || isDelegated ? {} : { authorization: await authorize() };
    const calls = Array.from({ length: count }, () => targetCall(devnet, 'increment'));
    await client.sendUserOperation({ calls, ...authorization });
    expected += BigInt(count);
    expect(await incrementsOf(devnet, account.address)).toBe(expected);
  }
}

const known = matrixAccounts.filter(({ kind }) => kind !== 'an account of unknown code' && kind !== 'Safe 1.5.0');
const modular = known.filter(({ kind }) => /Kernel|Safe7579|Biconomy/.test(kind));

describe.each([
  ...rowsOfRun(modular, 2),
  ...rowsOfRun(
    known.filter((row) => !modular.includes(row)),
    1,
  ),
])('$kind on EntryPoint $version', (row) => {
  // permissionless takes a new nonce key for each operation.
  test('lands with alto’s limits over ERC-7677: its creation, one call, and batches of 2 and 20', async () => {
    const opened = await row.open(lab.devnet);
    await sendBatches(row.version, opened, { batches: [1, 1, 2, 20], margins: altoMargins(row.version) });
  });
});

describe('a Safe of EntryPoint 0.7', () => {
  const owners = (count: number) => Array.from({ length: count }, () => privateKeyToAccount(freshKey()));
  async function openSafe(count: number): Promise<SmartAccount> {
    await safe141Contracts(lab.devnet);
    const [...all] = owners(count);
    return toSafeSmartAccount({
      client: chainClient(lab.devnet),
      owners: all,
      threshold: BigInt(count),
      version: '1.4.1',
    });
  }

  test.each(rowsOfRun([12, 3], 1))(
    'of %i owners lands with 55,000 gas more for each signature, as abstractionkit sends',
    async (count) => {
      const account = await openSafe(count);
      const margins: Margins = (needed) => ({
        ...altoMargins('0.7')(needed),
        verificationGasLimit: (needed.verificationGasLimit * 13n) / 10n + 55_000n * BigInt(count),
      });
      await sendBatches('0.7', { account }, { batches: [1, 2], margins });
    },
  );

  test('of one owner may not have that of twelve', async () => {
    const account = await openSafe(1);
    const margins: Margins = (needed) => ({
      ...needed,
      verificationGasLimit: needed.verificationGasLimit + 55_000n * 12n,
    });
    const sent = sendBatches('0.7', { account }, { batches: [1], margins });
    await expect(sent).rejects.toThrow(/verificationGasLimit is \d+ gas/);
  });
});
