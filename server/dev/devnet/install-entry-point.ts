import type { Address, Hex } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { mistake, tryAgain } from '../../../clients/cli/terminal/cli-error.ts';
import type { DevnetClient } from './devnet-client.ts';
import { sendInOrder } from './send-in-order.ts';

/** Enough for the constructor, which creates the SenderCreator. */
const constructionGas = 5_000_000n;

/**
 * Installs an EntryPoint at an address that does not follow from its code, as if it had been deployed there: its creation
 * code is put at the address and called, so that everything the constructor creates and stores matches the address. Requires
 * a development node. An existing EntryPoint stays.
 */
export async function placeEntryPoint(
  client: DevnetClient,
  deployer: LocalAccount,
  { address, creationCode }: { readonly address: Address; readonly creationCode: Hex },
): Promise<void> {
  if ((await client.getCode({ address })) !== undefined) return;
  try {
    await client.setCode({ address, bytecode: creationCode });
    // A contract's first creation has nonce 1 (EIP-161).
    await client.setNonce({ address, nonce: 1 });
  } catch (error) {
    throw mistake('The node cannot set code at an address, so it is not a development node (anvil, hardhat).', error);
  }
  const { data: runtimeCode } = await client.call({ to: address, gas: constructionGas });
  if (runtimeCode === undefined) throw tryAgain(`The EntryPoint for ${address} could not be made.`);
  await sendInOrder(client, deployer, [
    { description: `making the EntryPoint ${address}`, to: address, gas: constructionGas },
  ]);
  await client.setCode({ address, bytecode: runtimeCode });
}
