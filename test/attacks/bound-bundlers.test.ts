import { parseAbi, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type { Devnet } from '../../clients/cli/dev/devnet/devnet.ts';
import { devnetFamilies } from '../../clients/cli/dev/devnet/devnet.ts';
import { signUserOperation } from '../../clients/cli/dev/user-operation/build-user-operation.ts';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import {
  approveCall,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { useService } from '../support/interface/use-service.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { freshKey, startService } from '../support/service/running-service.ts';
import { landInOwnBundles } from './own-bundles.ts';

const allowlistAbi = parseAbi(['function updateBundlerAllowlist(address[] bundlers, bool allowed)']);
const bundler = privateKeyToAccount(freshKey());

const manager = privateKeyToAccount(leasedSignerKey).address;

/** Lets the contracts take bound operations from the operator's bundler, as their manager does. */
async function allowBundler({ client, paymasterContracts }: Devnet): Promise<void> {
  await client.setBalance({ address: bundler.address, value: parseEther('10') });
  await client.impersonateAccount({ address: manager });
  for (const version of entryPointVersions) {
    const hash = await client.writeContract({
      account: manager,
      chain: client.chain,
      address: paymasterContracts[devnetFamilies[version]],
      abi: allowlistAbi,
      functionName: 'updateBundlerAllowlist',
      args: [[bundler.address], true],
    });
    await client.waitForTransactionReceipt({ hash });
  }
  await client.stopImpersonatingAccount({ address: manager });
}

const named = <T extends { readonly chains: readonly object[] }>(config: T): T => ({
  ...config,
  chains: config.chains.map((chain) => ({ ...chain, bundlers: [bundler.address] })),
});

describe('where the operator names its bundlers', () => {
  const service = useService({
    configure: async (config, devnet) => {
      await allowBundler(devnet);
      return named(config);
    },
  });

  test.each(entryPointVersions.flatMap((version) => ['SPONSORED', 'ERC20'].map((mode) => ({ version, mode }))))(
    'what is signed for $version in mode $mode lands in their bundles, and in nobody else’s',
    async ({ version, mode }) => {
      const { devnet } = service();
      const { authToken } = await service().issueAccount();
      const { rpcUrl, address } = await service().fundedPaymaster(authToken, version, 5);
      const account = newSmartAccount(version);
      const token = tokenWith(devnet, 6);
      const pays = mode === 'ERC20';
      const calls = [...(pays ? [approveCall(token, address, 10n ** 15n)] : []), targetCall(devnet, 'increment')];
      const operation = await nextOperation(devnet, account, calls);
      await mint(devnet, token, operation.sender, 10n ** 15n);
      const signed = withAnswer(operation, await sponsor(rpcUrl, operation, pays ? { token: token.address } : {}));
      const operations = [await signUserOperation(devnet, signed, account.owner)];
      const attacker = await walletWith(devnet, parseEther('1'));
      await expect(landInOwnBundles(devnet, { wallet: attacker, operations })).rejects.toThrow();
      await expect(landInOwnBundles(devnet, { wallet: bundler, operations })).resolves.toBeGreaterThan(0n);
    },
  );
});

describe('where a contract does not allow a named bundler', () => {
  test('it is not signed for, and with no other contract the service does not start', async () => {
    const sentence = `does not allow the bundler ${bundler.address} (updateBundlerAllowlist).`;
    await expect(startService({ configure: named })).rejects.toThrow(sentence);
  });
});
