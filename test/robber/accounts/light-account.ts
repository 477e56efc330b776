import { type Address, concat, type Hex, pad } from 'viem';
import { lightAccount20 } from '../../../core/evm/account-codes/kinds/alchemy.ts';
import type { World } from '../world.ts';
import { likeSimpleAccount } from './simple-account.ts';

const [known] = lightAccount20.factories ?? [];
const [implementation] = lightAccount20.implementations;

/**
 * No package has the code of LightAccount, which the service knows by its addresses. SimpleAccount 0.7 stands in there: its factory
 * has the same call, and takes bytes behind the arguments as any Solidity contract does.
 */
async function placeFactory({ devnet }: World): Promise<Hex> {
  const factory = known !== undefined && 'address' in known.mark ? known.mark.address : undefined;
  const account = implementation !== undefined && 'address' in implementation ? implementation.address : undefined;
  if (factory === undefined || account === undefined) throw new Error('LightAccount has no addresses.');
  if ((await devnet.client.getCode({ address: factory })) !== undefined) return factory;
  const model = devnet.accountFactories['0.7'];
  const code = await devnet.client.getCode({ address: model });
  const abi = [
    {
      type: 'function',
      name: 'accountImplementation',
      inputs: [],
      outputs: [{ type: 'address' }],
      stateMutability: 'view',
    },
  ] as const;
  const own = await devnet.client.readContract({ address: model, abi, functionName: 'accountImplementation' });
  const word = (address: Address) => pad(address).slice(2).toLowerCase();
  // A byte that never runs makes it another factory than the one of SimpleAccount, by its hash.
  const bytecode = code === undefined ? undefined : concat([code.replaceAll(word(own), word(account)) as Hex, '0x00']);
  const accountCode = await devnet.client.getCode({ address: own });
  if (bytecode === undefined || accountCode === undefined) throw new Error('There is no SimpleAccount.');
  await devnet.client.setCode({ address: factory, bytecode });
  await devnet.client.setCode({ address: account, bytecode: accountCode });
  return factory;
}

export const lightAccountKind = likeSimpleAccount({
  version: '0.7',
  name: 'LightAccount 2.0',
  info: { name: 'LIGHT_ACCOUNT', version: '2.0.0' },
  factory: placeFactory,
});
