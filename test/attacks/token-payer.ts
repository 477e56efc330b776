import { type Address, encodeFunctionData, parseAbi, parseEther } from 'viem';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { devTokenAbi } from '../../server/dev/devnet/contracts.generated.ts';
import type { Devnet, DevnetToken } from '../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import type { DevCall } from '../../server/dev/user-operation/build-user-operation.ts';
import { newSmartAccount, nextOperation, plainLimits, type SmartAccount } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';

const accountAbi = parseAbi(['function execute(address dest, uint256 value, bytes data)']);

/** An account of the attacker, on chain already, whose owner can call it next to any bundle. */
export type TokenPayer = { readonly account: SmartAccount; readonly sender: Address };

/** Deploys an account at its own cost. */
export async function deployPayer(devnet: Devnet, version: EntryPointVersion): Promise<TokenPayer> {
  const account = newSmartAccount(version);
  const operation = await nextOperation(devnet, account, []);
  const { sender } = operation;
  await devnet.client.setBalance({ address: sender, value: parseEther('1') });
  await land(devnet, account, { ...operation, ...plainLimits('undeployed') });
  await devnet.client.setBalance({ address: account.owner.address, value: parseEther('1') });
  return { account, sender };
}

/** A call of the token that sends some of it to someone else. */
export function sendAway(token: DevnetToken, to: Address, amount: bigint): DevCall {
  const data = encodeFunctionData({ abi: devTokenAbi, functionName: 'transfer', args: [to, amount] });
  return { to: token.address, data };
}

/** The owner has his account make a call at once, outside of any operation. */
export async function actNow(devnet: Devnet, { account, sender }: TokenPayer, { to, data }: DevCall): Promise<void> {
  const execution = encodeFunctionData({ abi: accountAbi, functionName: 'execute', args: [to, 0n, data] });
  await sendInOrder(devnet.client, account.owner, [
    { description: 'the owner', to: sender, data: execution, gas: 300_000n },
  ]);
}
