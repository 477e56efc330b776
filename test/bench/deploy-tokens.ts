import { concat } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { create2Deployer, tokenDeployment } from '../../server/dev/devnet/deployments.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet, DevnetToken } from '../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../server/dev/devnet/send-in-order.ts';

/** Puts so many more tokens on a development chain. */
export async function deployTokens(devnet: Devnet, count: number): Promise<readonly DevnetToken[]> {
  const tokens = Array.from({ length: count }, (_, index) => ({
    ...{ name: `Bench token ${index}`, symbol: `bench${index}`, decimals: 6 },
  }));
  const deployments = tokens.map(tokenDeployment);
  await sendInOrder(
    devnet.client,
    privateKeyToAccount(deriveDevKey(0)),
    deployments.map(({ name, salt, creationCode }) => ({
      ...{ description: name, to: create2Deployer, data: concat([salt, creationCode]), gas: 10_000_000n },
    })),
  );
  return deployments.map(({ address }, index) => ({ address, symbol: `bench${index}`, decimals: 6 }));
}
