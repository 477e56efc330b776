import { type Address, concat, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { biconomySmartAccount2 } from '../../../core/evm/account-codes/kinds/biconomy.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { type DevCall, encodeAccountCalls } from '../../../server/dev/user-operation/build-user-operation.ts';
import { dummySignature } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { deployBiconomyAccount } from '../../support/published-clients/deploy-biconomy-account.ts';
import type { World } from '../world.ts';
import { deployModule, encodeWork } from './modular-account.ts';
import type { AccountKind } from './robber-account.ts';
import { owner, signAsOwner } from './simple-account.ts';

const factoryAbi = parseAbi([
  'function deployCounterFactualAccount(address module, bytes setup, uint256 index) returns (address)',
  'function getAddressForCounterFactualAccount(address module, bytes setup, uint256 index) view returns (address)',
]);
const moduleAbi = parseAbi(['function initForSmartAccount(address owner)']);

/** Where the module is published, which a placeholder names. */
const ecdsaModule: Address = '0x0000001c5b32F37F5beA87BDD5374eB2aC54eA8e';
let deployed: { readonly rpcUrl: string; readonly factory: Promise<Address> } | undefined;

function factoryOf({ devnet }: World): Promise<Address> {
  if (deployed?.rpcUrl !== devnet.rpcUrl) deployed = { rpcUrl: devnet.rpcUrl, factory: deployAll(devnet) };
  return deployed.factory;
}

async function deployAll(devnet: Devnet): Promise<Address> {
  const contracts = await deployBiconomyAccount(devnet);
  const bytecode = await devnet.client.getCode({ address: contracts.ecdsaModule });
  if (bytecode === undefined) throw new Error('The module was not deployed.');
  await devnet.client.setCode({ address: ecdsaModule, bytecode });
  return contracts.factory;
}

function withModule(signature: Hex, module: Address): Hex {
  return encodeAbiParameters([{ type: 'bytes' }, { type: 'address' }], [signature, module]);
}

/** One call as SimpleAccount makes it, several as SimpleAccount 0.7 does. */
function encode(calls: readonly DevCall[]): Hex {
  return encodeAccountCalls(calls.length === 1 ? '0.6' : '0.7', calls);
}

/** Biconomy SmartAccount 2 as it is published. The attacker makes an account with a module of its own. */
export function biconomyKind(modules: 'published' | 'own validator'): AccountKind {
  const isGreedy = modules === 'own validator';
  return {
    name: isGreedy ? `Biconomy 2 with ${modules}` : 'Biconomy 2',
    version: '0.6',
    isKnown: true,
    info: { name: 'BICONOMY', version: '2.0.0' },
    placeholder: biconomySmartAccount2.estimationSignature ?? dummySignature,
    ...(isGreedy ? { hasModule: true } : {}),
    async open(world, number) {
      const factory = await factoryOf(world);
      const module = isGreedy ? await deployModule(world, modules) : ecdsaModule;
      const setup = isGreedy ? '0x00000000' : encodeFunctionData({ abi: moduleAbi, args: [owner.address] });
      const args = [module, setup, number] as const;
      const creation = encodeFunctionData({ abi: factoryAbi, functionName: 'deployCounterFactualAccount', args });
      if (isGreedy) await world.attacker.send({ to: factory, data: creation });
      const { client } = world.devnet;
      return {
        sender: await client.readContract({
          address: factory,
          abi: factoryAbi,
          functionName: 'getAddressForCounterFactualAccount',
          args,
        }),
        initCode: isGreedy ? '0x' : concat([factory, creation]),
        encode,
        sign: async (operation, paymasterAndData) =>
          withModule(await signAsOwner(world, owner, operation, paymasterAndData), module),
        ...(isGreedy ? { signWork: (work) => withModule(encodeWork(work), module) } : {}),
      };
    },
  };
}
