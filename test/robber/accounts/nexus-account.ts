import { type Address, concat, encodeAbiParameters, encodeFunctionData, pad, parseAbi, zeroAddress } from 'viem';
import { dummySignature } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { modulekitCode, nexusProxyCode, placeCode } from '../../support/accounts/place-code.ts';
import { compiledContract } from '../compiled-contract.ts';
import { noWork } from '../plan/plan.ts';
import type { World } from '../world.ts';
import { deployModule, encodeExecute, encodeWork, hasGreedyValidator, type Modules } from './modular-account.ts';
import type { AccountKind } from './robber-account.ts';
import { owner, signAsOwner } from './simple-account.ts';

const implementation: Address = '0x000000004F43C49e93C970E84001853a70923B03';
const ecdsaValidator: Address = '0x00000000d12897DDAdC2044614A9677B191A2d95';
const accountAbi = parseAbi(['function initializeAccount(bytes initData) payable']);
const bootstrapAbi = parseAbi([
  'struct Config { address module; bytes data; }',
  'function initNexus(Config[] validators, Config[] executors, Config hook, Config[] fallbacks, address registry, address[] attesters, uint8 threshold)',
]);

async function placeNexus(world: World): Promise<void> {
  const entryPoint = pad(world.devnet.entryPoints['0.7']);
  await placeCode(world, implementation, modulekitCode('Nexus', 'NEXUS_BYTECODE'), entryPoint);
  await placeCode(world, ecdsaValidator, compiledContract('EcdsaValidator'));
}

/** Nexus 1.0.1 as it is published, where the service knows 1.0.2. No factory of it is known: the attacker makes the accounts. */
export function nexusKind(modules: Modules): AccountKind {
  const isGreedy = hasGreedyValidator(modules);
  const hasHook = modules === 'own hook' || modules === 'hidden hook';
  return {
    name: modules === 'published' ? 'Nexus' : `Nexus with ${modules}`,
    version: '0.7',
    isKnown: true,
    info: { name: 'NEXUS', version: '1.0.0' },
    placeholder: isGreedy ? encodeWork(noWork) : dummySignature,
    ...(isGreedy ? { hasModule: true } : {}),
    async open(world, number) {
      await placeNexus(world);
      const bootstrap = await world.deploy(modulekitCode('Nexus', 'NEXUS_BOOTSTRAP_BYTECODE'));
      const module = await deployModule(world, modules);
      const validator = isGreedy ? module : ecdsaValidator;
      const hook = { module: hasHook ? module : zeroAddress, data: '0x' } as const;
      const installed = [{ module: validator, data: concat([owner.address, pad('0x', { size: 32 })]) }];
      const args = [installed, [], hook, [], zeroAddress, [], 0] as const;
      const init = encodeFunctionData({ abi: bootstrapAbi, args });
      const initData = encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }], [bootstrap, init]);
      const initialize = encodeFunctionData({ abi: accountAbi, args: [initData] });
      const proxy = encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }], [implementation, initialize]);
      const creation = concat([nexusProxyCode(), proxy]);
      return {
        sender: await world.deploy(creation, number),
        initCode: '0x',
        encode: encodeExecute,
        sign: (operation, paymasterAndData) => signAsOwner(world, owner, operation, paymasterAndData),
        // Three bytes that are free, the mode, and the validator.
        nonceKey: (key) => (key << 168n) | BigInt(validator),
        ...(isGreedy ? { signWork: encodeWork } : {}),
      };
    },
  };
}
