import { type Address, getContractAddress, type Hex, slice } from 'viem';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';

/** Has a factory called as the EntryPoint does: by the first contract that the EntryPoint made. */
export async function createAccount(devnet: Devnet, initCode: Hex, version: EntryPointVersion): Promise<void> {
  const { client, entryPoints } = devnet;
  const account: Address = getContractAddress({ from: entryPoints[version], nonce: 1n });
  await client.impersonateAccount({ address: account });
  await client.setBalance({ address: account, value: 10n ** 18n });
  const call = { to: slice(initCode, 0, 20), data: slice(initCode, 20), gas: 2_000_000n };
  const hash = await client.sendTransaction({ account, chain: client.chain, ...call });
  await client.waitForTransactionReceipt({ hash });
  await client.stopImpersonatingAccount({ address: account });
}
