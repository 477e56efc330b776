import { concat, numberToHex } from 'viem';
import { mainnetPrices } from '../../../core/domain/unit-prices.ts';
import { compiledContract } from '../compiled-contract.ts';
import type { AccountKind } from './robber-account.ts';

/**
 * An account while it is asked about, that has other code when its operations land: its owner upgrades it, or delegates elsewhere.
 * The code is put there at no cost to the attacker.
 */
export function upgradedKind(kind: AccountKind): AccountKind {
  return {
    ...kind,
    name: `${kind.name} given other code after the signature`,
    async open(world, number) {
      const { client } = world.devnet;
      const account = await kind.open(world, number);
      const { sender: address } = account;
      const more = numberToHex(world.prices.newSlot - mainnetPrices.newSlot, { size: 32 });
      const creation = concat([compiledContract('BurningAccount'), more]);
      const burning = await client.getCode({ address: await world.deploy(creation) });
      let original = await client.getCode({ address });
      return {
        ...account,
        async change() {
          original = await client.getCode({ address });
          await client.setCode({ address, bytecode: burning ?? '0x' });
        },
        restore: () => client.setCode({ address, bytecode: original ?? '0x' }),
      };
    },
  };
}
