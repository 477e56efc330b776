import { type Address, concat, encodeFunctionData, type Hex, numberToHex, pad, parseAbi, zeroAddress } from 'viem';
import { dummySignature } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { modulekitCode, placeCode } from '../../support/accounts/place-code.ts';
import { compiledContract } from '../compiled-contract.ts';
import { noWork } from '../plan/plan.ts';
import type { World } from '../world.ts';
import {
  deployModule,
  encodeExecute,
  encodeExecuteUserOp,
  encodeWork,
  hasGreedyValidator,
  type Modules,
} from './modular-account.ts';
import type { AccountKind } from './robber-account.ts';
import { owner, signAsOwner } from './simple-account.ts';

const implementation: Address = '0xBAC849bB641841b44E965fB01A4Bf5F074f84b4D';
const factory: Address = '0xaac5D4240AF87249B3f71BC8E4A2cae074A3E419';
const ecdsaValidator: Address = '0x845ADb2C711129d4f3966735eD98a9F09fC4cE57';
const abi = parseAbi([
  'function createAccount(bytes data, bytes32 salt) payable returns (address)',
  'function getAddress(bytes data, bytes32 salt) view returns (address)',
  'function initialize(bytes21 rootValidator, address hook, bytes validatorData, bytes hookData, bytes[] initConfig)',
]);
/** How Kernel writes a validator that is a contract. */
const validatorType: Hex = '0x01';

async function placeKernel(world: World): Promise<void> {
  const entryPoint = pad(world.devnet.entryPoints['0.7']);
  await placeCode(world, implementation, modulekitCode('Kernel', 'KERNEL_BYTECODE'), entryPoint);
  await placeCode(world, factory, modulekitCode('Kernel', 'KERNEL_FACTORY_BYTECODE'), pad(implementation));
  await placeCode(world, ecdsaValidator, compiledContract('EcdsaValidator'));
}

/** Kernel 3.1 as it is published. The attacker makes an account with modules of its own, which no policy sponsors. */
export function kernelKind(modules: Modules): AccountKind {
  const isGreedy = hasGreedyValidator(modules);
  const hasHook = modules === 'own hook' || modules === 'hidden hook';
  return {
    name: modules === 'published' ? 'Kernel 3.1' : `Kernel 3.1 with ${modules}`,
    version: '0.7',
    isKnown: true,
    info: { name: 'KERNEL', version: '3.1' },
    placeholder: isGreedy ? encodeWork(noWork) : dummySignature,
    ...(isGreedy ? { hasModule: true } : {}),
    async open(world, number) {
      await placeKernel(world);
      const module = await deployModule(world, modules);
      const root = concat([validatorType, isGreedy ? module : ecdsaValidator]);
      const hook = hasHook ? module : zeroAddress;
      const hookData = hasHook ? '0x00' : '0x';
      const data = encodeFunctionData({
        abi,
        functionName: 'initialize',
        args: [root, hook, owner.address, hookData, []],
      });
      const args = [data, numberToHex(number, { size: 32 })] as const;
      const creation = encodeFunctionData({ abi, functionName: 'createAccount', args });
      if (modules !== 'published') await world.attacker.send({ to: factory, data: creation });
      return {
        sender: await world.devnet.client.readContract({ address: factory, abi, functionName: 'getAddress', args }),
        initCode: modules === 'published' ? concat([factory, creation]) : '0x',
        encode: hasHook ? encodeExecuteUserOp : encodeExecute,
        sign: (operation, paymasterAndData) => signAsOwner(world, owner, operation, paymasterAndData),
        ...(isGreedy ? { signWork: encodeWork } : {}),
      };
    },
  };
}
