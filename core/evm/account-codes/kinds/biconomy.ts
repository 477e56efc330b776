import { encodeAbiParameters, parseAbi, size } from 'viem';
import { addressInCode } from '../address-in-word.ts';
import { dummySignature } from '../estimation-signature.ts';
import type { AccountCodeKind, CodeMark, ReadCreation } from '../known-code.ts';
import { readExactly } from '../read-exactly.ts';

const factoryAbi = parseAbi([
  'function deployCounterFactualAccount(address moduleSetupContract, bytes moduleSetupData, uint256 index)',
]);

/** `basicImplementation` and `minimalHandler`, wherever the factory's code has them. */
const implementationAt = [493, 1447, 1862, 2031] as const;
const handlerAt = [926, 2940] as const;

/** ECDSAOwnershipRegistryModule. The module is called while the account is made: another one could do other work then. */
const ecdsaModule: CodeMark = { codeHash: '0x63d263c754ecdd7e6748cc4b17dd23a90f9299f8b0e3d18b5bc677317aa57ee5' };

/** `initForSmartAccount(address)` in bytes. The module reads no more, and more would be paid for. */
const maxSetup = 36;

const readCreation: ReadCreation = ({ code, callData }) => {
  const [module, setup = '0x'] = readExactly(factoryAbi, 'deployCounterFactualAccount', callData) ?? [];
  const [implementation, ...again] = implementationAt.map((offset) => addressInCode(code, offset));
  if (module === undefined || implementation === undefined || size(setup) > maxSetup) return undefined;
  if (again.some((other) => other !== implementation)) return undefined;
  return { implementation, runs: { address: module, mark: ecdsaModule } };
};

/**
 * Biconomy SmartAccount 2, by its code only: its contracts are at addresses of CREATE3, which say nothing of the code. A
 * module of the owner's choice validates.
 */
export const biconomySmartAccount2: AccountCodeKind = {
  name: 'Biconomy SmartAccount 2',
  runsModules: true,
  decoders: [{ name: 'BICONOMY', version: '2.0.0' }],
  implementations: [
    {
      codeHash: '0xe441975250b21a768d72d05d024fae92faaaf028281a97fc7790516b2bbd41ae',
      immutables: [2415, 2914, 3075, 3873, 3956, 4510, 5341, 6459, 6550],
    },
  ],
  factories: [
    {
      mark: {
        codeHash: '0x4498a045ce1114c460ade91d2519f2e58e3a7f5f910cbc0c7c6a0d1ba77ef9a5',
        immutables: [...implementationAt, ...handlerAt],
      },
      readCreation,
    },
  ],
  // The signature and the module that checks it: ECDSAOwnershipRegistryModule where it is published.
  estimationSignature: encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'address' }],
    [dummySignature, '0x0000001c5b32F37F5beA87BDD5374eB2aC54eA8e'],
  ),
};
