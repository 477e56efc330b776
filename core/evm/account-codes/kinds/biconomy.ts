import { encodeAbiParameters, parseAbi, size } from 'viem';
import { addressInCode } from '../address-in-word.ts';
import { dummySignature } from '../estimation-signature.ts';
import { codeMarkOf, implementationsOf } from '../find-in-catalogue.ts';
import type { AccountCodeKind, ReadCreation } from '../known-code.ts';
import { readExactly } from '../read-exactly.ts';

const factoryAbi = parseAbi([
  'function deployCounterFactualAccount(address moduleSetupContract, bytes moduleSetupData, uint256 index)',
]);

const name = 'Biconomy SmartAccount 2';

/** `basicImplementation`, wherever the factory's code has it. */
const implementationAt = [493, 1447, 1862, 2031] as const;

/** ECDSAOwnershipRegistryModule. The module is called while the account is made: another one could do other work then. */
const ecdsaModule = codeMarkOf(name, 'ECDSAOwnershipRegistryModule');

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
  name,
  runsModules: true,
  decoders: [{ name: 'BICONOMY', version: '2.0.0' }],
  implementations: implementationsOf(name),
  factories: [{ mark: codeMarkOf(name, 'SmartAccountFactory'), readCreation }],
  // The signature and the module that checks it: ECDSAOwnershipRegistryModule where it is published.
  estimationSignature: encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'address' }],
    [dummySignature, '0x0000001c5b32F37F5beA87BDD5374eB2aC54eA8e'],
  ),
};
