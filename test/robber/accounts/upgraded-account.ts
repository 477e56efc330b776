import { encodeFunctionData, pad, parseAbi } from 'viem';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { implementationSlot } from '../../../core/evm/account-codes/find-in-catalogue.ts';
import { compiledContract } from '../compiled-contract.ts';
import { attacker } from '../world.ts';
import type { AccountKind } from './robber-account.ts';
import { likeSimpleAccount } from './simple-account.ts';

const abi = parseAbi([
  'function accountImplementation() view returns (address)',
  'function upgradeToAndCall(address implementation, bytes data) payable',
]);

/** A SimpleAccount while it is asked about, which its owner upgrades to other code before its operations land. */
export function upgradedKind(version: EntryPointVersion): AccountKind {
  const simple = likeSimpleAccount({
    version,
    name: 'SimpleAccount upgraded after the signature',
    info: { name: 'INFINITISM', version: '1.0.0' },
    factory: async ({ devnet }) => devnet.accountFactories[version],
    key: attacker,
  });
  return {
    ...simple,
    async open(world, number) {
      const { client, accountFactories } = world.devnet;
      const account = await simple.open(world, number);
      const { sender } = account;
      const address = accountFactories[version];
      const original = await client.readContract({ address, abi, functionName: 'accountImplementation' });
      const burning = await world.deploy(compiledContract('BurningAccount'));
      const upgrade = encodeFunctionData({ abi, functionName: 'upgradeToAndCall', args: [burning, '0x'] });
      return {
        ...account,
        async change() {
          const { status } = await world.attacker.send({ to: sender, data: upgrade });
          if (status !== 'success') throw new Error(`${sender} was not upgraded.`);
        },
        restore: () => client.setStorageAt({ address: sender, index: implementationSlot, value: pad(original) }),
      };
    },
  };
}
