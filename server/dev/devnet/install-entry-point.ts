import type { Address, Hex } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { mistake, tryAgain } from '../../../clients/cli/terminal/cli-error.ts';
import type { DevnetClient } from './devnet-client.ts';
import { sendInOrder } from './send-in-order.ts';

/** Enough for the constructor, which makes the SenderCreator. */
const constructionGas = 5_000_000n;

/**
 * Puts an EntryPoint at an address that its code does not lead to by itself, as if it had been made there: the creation code
 * stands there first and is called, so that everything the constructor makes and remembers is of that address. The node must
 * be a development node. What is there already stays.
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
