import { concat } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { deploymentProxy, zeroSalt } from '../../../core/evm/deployment-proxy.ts';
import { tankFunderBytecode } from '../../../core/evm/tank-funder/tank-funder.generated.ts';
import { tankFunderAddress } from '../../../core/evm/tank-funder/tank-funder.ts';
import type { DevnetClient } from './devnet-client.ts';
import { sendInOrder } from './send-in-order.ts';

/** Deploys the tank funder, with which Safes and other contracts fill gas tanks. Sends nothing if it exists already. */
export async function placeTankFunder(client: DevnetClient, sender: LocalAccount): Promise<void> {
  if ((await client.getCode({ address: tankFunderAddress })) !== undefined) return;
  const data = concat([zeroSalt, tankFunderBytecode]);
  await sendInOrder(client, sender, [{ description: 'the tank funder', to: deploymentProxy, data, gas: 1_000_000n }]);
}
