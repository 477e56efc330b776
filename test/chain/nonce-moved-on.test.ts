import { encodeFunctionData, parseAbi, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { encodeAccountCalls } from '../../server/dev/user-operation/build-user-operation.ts';
import { fillTank, newSmartAccount, nextOperation, targetCall, walletWith } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, openPaymaster } from '../support/service/chain-paymaster.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const incrementNonce = parseAbi(['function incrementNonce(uint192 key)']);

let service: RunningService;
/** How far the service's clock is ahead, in milliseconds. */
let ahead = 0;
beforeAll(async () => {
  service = await startService({ clock: { now: () => Date.now() + ahead } });
});
afterAll(() => service.close());

describe.each(tabledEntryPoints)('a hold for EntryPoint %s', (version) => {
  test('ends when its account has used the nonce for another operation, and that of another nonce key stays', async () => {
    const { devnet, config } = service;
    const paymaster = await openPaymaster(service, version);
    const wallet = await walletWith(devnet, 0n);
    await chooseWallet(paymaster, wallet);
    await fillTank(devnet, version, wallet, parseEther('10'));
    const held = () => readTank(config.database, paymasterAddress, wallet.address).held;
    const account = newSmartAccount(version);
    const first = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    const answered = withAnswer(first, await sponsor(paymaster.rpcUrl, first));
    const paymasterAddress = answered.paymasterAndData.slice(0, 42) as `0x${string}`;
    await land(devnet, account, answered);
    await vi.waitFor(() => expect(held()).toBe(0n), { timeout: 20_000 });

    // Two keys of the same account: one is used up without the paymaster, the other stays.
    for (const key of [0n, 5n]) {
      const next = await nextOperation(devnet, account, [targetCall(devnet, 'increment')], key);
      await sponsor(paymaster.rpcUrl, next);
    }
    const both = held();
    await useUp(account, first.sender);
    const wasAskedAbout = () => {
      // A round may have begun just before the nonce was used up.
      if (held() === both) ahead += 61_000;
      expect(held()).toBeLessThan(both);
    };
    await vi.waitFor(wasAskedAbout, { timeout: 30_000, interval: 1_000 });
    expect(held()).toBeGreaterThan(0n);
  });
});

/** The owner has the account raise its next nonce of key 0, with no operation and no event of the EntryPoint. */
async function useUp({ version, owner }: ReturnType<typeof newSmartAccount>, sender: `0x${string}`): Promise<void> {
  const { client, entryPoints } = service.devnet;
  const wallet = await walletWith(service.devnet, parseEther('1'));
  const funding = await client.sendTransaction({
    account: wallet,
    chain: client.chain,
    to: owner.address,
    value: parseEther('0.5'),
  });
  await client.waitForTransactionReceipt({ hash: funding });
  const data = encodeFunctionData({ abi: incrementNonce, args: [0n] });
  const hash = await client.sendTransaction({
    account: owner,
    chain: client.chain,
    to: sender,
    data: encodeAccountCalls(version, [{ to: entryPoints[version], data }]),
  });
  await client.waitForTransactionReceipt({ hash });
}
