import { concat } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import { deploymentProxy, zeroSalt } from '../../../core/evm/deployment-proxy.ts';
import { addressOnChain, codeInFull, creationCodeOf } from '../../../core/gas/simulation/simulation-code.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../../server/dev/devnet/devnet-client.ts';
import { mineConfirmations } from './mine-confirmations.ts';

/** Puts all code that simulates on the chain, and confirms it. What is there stays. */
export async function deploySimulationCode(devnet: Devnet): Promise<void> {
  const { client, entryPoints, fundedKeys } = devnet;
  const [key] = fundedKeys;
  if (key === undefined) throw new Error('The chain has no funded key.');
  for (const version of entryPointVersions) {
    const there = await client.getCode({ address: entryPoints[version] });
    if (there === undefined) throw new Error(`There is no EntryPoint ${version}.`);
    const { probe, entryPoint } = codeInFull(version, there);
    for (const code of [probe, entryPoint]) {
      if ((await client.getCode({ address: addressOnChain(code) })) !== undefined) continue;
      const data = concat([zeroSalt, creationCodeOf(code)]);
      const deployment = { description: 'a deployment', to: deploymentProxy, data, gas: 8_000_000n };
      await sendInOrder(client, privateKeyToAccount(key), [deployment]);
    }
  }
  await mineConfirmations(devnet);
}
