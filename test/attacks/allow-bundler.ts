import { parseAbi, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { freshKey } from '../support/service/running-service.ts';

const allowlistAbi = parseAbi(['function updateBundlerAllowlist(address[] bundlers, bool allowed)']);
const manager = privateKeyToAccount(leasedSignerKey).address;
/** The operator's own. */
export const namedBundler = privateKeyToAccount(freshKey());

/** Lets the contracts take bound operations from the operator's bundler, as their manager does. */
export async function allowBundler({ client, paymasterContracts }: Devnet): Promise<void> {
  await client.setBalance({ address: namedBundler.address, value: parseEther('10') });
  await client.impersonateAccount({ address: manager });
  for (const version of entryPointVersions) {
    const hash = await client.writeContract({
      account: manager,
      chain: client.chain,
      address: paymasterContracts[devnetFamilies[version]],
      abi: allowlistAbi,
      functionName: 'updateBundlerAllowlist',
      args: [[namedBundler.address], true],
    });
    await client.waitForTransactionReceipt({ hash });
  }
  await client.stopImpersonatingAccount({ address: manager });
}
