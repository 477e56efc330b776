import { parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { devPaymasterVersions } from '../../server/dev/dev-core-config.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import {
  approveCall,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { familiesWith } from '../support/paymaster-contracts/families-by-mode.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { startProductionService } from '../support/service/production-service.ts';
import { fundedTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { allowBundler, namedBundler } from './allow-bundler.ts';
import { bundleAlone } from './measure-attack.ts';

const bundler = namedBundler;
const named = { chain: { allowedBundlers: [bundler.address] } };

const cases = entryPointVersions.flatMap((version) => ['SPONSORED', 'ERC20'].map((mode) => ({ version, mode })));

describe('where the operator names its bundlers', () => {
  const service = useProductionService({
    settings: async (devnet) => {
      await allowBundler(devnet);
      return named;
    },
  });

  test.each(cases)(
    'what is signed for $version in mode $mode lands in their bundles, and in no others',
    async ({ version, mode }) => {
      const { devnet } = service();
      const tank = await fundedTank(service(), { family: version, amount: parseEther('10') });
      const account = newSmartAccount(version);
      const token = tokenWith(devnet, 6);
      const pays = mode === 'ERC20';
      const calls = [...(pays ? [approveCall(token, tank.contract, 10n ** 15n)] : []), targetCall(devnet, 'increment')];
      const operation = await nextOperation(devnet, account, calls);
      await mint(devnet, token, operation.sender, 10n ** 15n);
      const signed = withAnswer(operation, await sponsor(tank.rpcUrl, operation, pays ? { token: token.address } : {}));
      const operations = [await signUserOperation(devnet, signed, account.owner)];
      const attack = await bundleAlone(devnet, { tank, operations });
      expect(attack).toMatchObject({ landed: false, lost: 0n });
      expect(attack.gained).toBeLessThanOrEqual(0n);
      const own = await bundleAlone(devnet, { tank, operations, wallet: bundler });
      expect(own.landed).toBe(true);
      expect(own.gained).toBeGreaterThan(0n);
    },
  );

  const bound: readonly string[] = Object.values(devnetFamilies);
  const unbound = familiesWith('SPONSORED').filter(
    (family) => !bound.includes(family) && !family.startsWith('tollfree-'),
  );
  test.each(unbound)('what is signed for %s lands in anybody’s: its contract cannot be told', async (family) => {
    const { devnet } = service();
    const tank = await fundedTank(service(), { family, amount: parseEther('10') });
    const account = newSmartAccount(tank.version);
    const operation = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    const signed = withAnswer(operation, await sponsor(tank.rpcUrl, operation));
    const operations = [await signUserOperation(devnet, signed, account.owner)];
    expect(await bundleAlone(devnet, { tank, operations })).toMatchObject({ landed: true });
  });
});

describe('where a contract does not allow a named bundler', () => {
  const service = useProductionService({ settings: () => named });

  test.each(entryPointVersions)('nothing is signed for it: %s', async (version) => {
    const { devnet } = service();
    const tank = await fundedTank(service(), { family: version, amount: parseEther('10') });
    const operation = await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, 'increment')]);
    const answer = await askSponsorship(tank.rpcUrl, operation);
    expect(answer.httpStatus).not.toBe(200);
    expect(answer.message).toContain(`does not allow the bundler ${bundler.address} (updateBundlerAllowlist).`);
  });

  test('with no other contract the service does not start', async () => {
    const settings = ({ paymasterContracts, tokenRecipient }: Devnet) => {
      const contracts = entryPointVersions.map((version) => {
        const family = devnetFamilies[version];
        return { version: devPaymasterVersions[version], family, address: paymasterContracts[family], tokenRecipient };
      });
      return { chain: { ...named.chain, paymasterContracts: contracts } };
    };
    const sentence = `does not allow the bundler ${bundler.address} (updateBundlerAllowlist).`;
    await expect(startProductionService({ settings })).rejects.toThrow(sentence);
  });
});
