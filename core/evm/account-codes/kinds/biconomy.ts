import { encodeAbiParameters, parseAbi, size } from 'viem';
import { codeMarkOf, implementationsOf, marksOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, addressInCode, dummySignature, type ReadCreation, readExactly } from '../known-code.ts';

const factoryAbi = parseAbi([
  'function deployCounterFactualAccount(address moduleSetupContract, bytes moduleSetupData, uint256 index)',
]);

const name = 'Biconomy SmartAccount 2';

/** Offsets of `basicImplementation` in the factory's code. */
const implementationAt = [493, 1447, 1862, 2031] as const;

/**
 * ECDSAOwnershipRegistryModule, as published on chains and as on npm. The factory calls the module during creation, so another
 * module could do other work then.
 */
const ecdsaModules = marksOf(name, 'helper');

/** `initForSmartAccount(address)` in bytes. The module reads no more, and the sponsor would pay for more. */
const maxSetup = 36;

const readCreation: ReadCreation = ({ code, callData }) => {
  const [module, setup = '0x'] = readExactly(factoryAbi, 'deployCounterFactualAccount', callData) ?? [];
  const [implementation, ...again] = implementationAt.map((offset) => addressInCode(code, offset));
  if (module === undefined || implementation === undefined || size(setup) > maxSetup) return undefined;
  if (again.some((other) => other !== implementation)) return undefined;
  return { implementation, runs: [{ address: module, marks: ecdsaModules }] };
};

/**
 * Biconomy SmartAccount 2, recognized only by code: its contracts have CREATE3 addresses, which do not depend on the code, and
 * their deployer takes code from anyone. The owner chooses the module that validates.
 */
export const biconomySmartAccount2: AccountCodeKind = {
  name,
  decoders: [{ name: 'BICONOMY', version: '2.0.0' }],
  implementations: implementationsOf(name),
  factories: [{ mark: codeMarkOf(name, 'SmartAccountFactory'), readCreation }],
  // The signature and the module that checks it: ECDSAOwnershipRegistryModule at its published address.
  estimationSignature: encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'address' }],
    [dummySignature, '0x0000001c5b32F37F5beA87BDD5374eB2aC54eA8e'],
  ),
};
