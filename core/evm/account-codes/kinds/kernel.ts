import { type Address, concat, encodeFunctionData, type Hex, parseAbi, size, slice, zeroAddress } from 'viem';
import { executeUserOpSelector } from '../../account-decoders/execute-user-op.ts';
import { dummySignature } from '../estimation-signature.ts';
import type { AccountCodeKind, ReadCreation } from '../known-code.ts';
import { readExactly } from '../read-exactly.ts';

const factory2Abi = parseAbi(['function createAccount(address implementation, bytes data, uint256 index)']);
const initialize2Abi = parseAbi(['function initialize(address validator, bytes data)']);
const factory3Abi = parseAbi(['function createAccount(bytes data, bytes32 salt)']);
const metaFactoryAbi = parseAbi(['function deployWithFactory(address factory, bytes data, bytes32 salt)']);
const initialize30Abi = parseAbi([
  'function initialize(bytes21 rootValidator, address hook, bytes validatorData, bytes hookData)',
]);
const initialize31Abi = parseAbi([
  'function initialize(bytes21 rootValidator, address hook, bytes validatorData, bytes hookData, bytes[] initConfig)',
]);

const ecdsaValidator2: Address = '0xd9AB5096a832b9ce79914329DAEE236f8Eea0390';
const factory2: Address = '0x5de4839a76cf55d0c90e2061ef4386d962E15ae3';
const metaFactory: Address = '0xd703aaE79538628d27099B8c4f621bE4CCd142d5';
const webAuthnValidator: Address = '0x7ab16Ff354AcB328452F1D445b3Ddee9a91e9e69';
const ecdsaValidator30: Address = '0x8104e3Ad430EA6d354d013A6789fDFc71E671c43';
const ecdsaValidator31: Address = '0x845ADb2C711129d4f3966735eD98a9F09fC4cE57';
/**
 * Most data that a published validator is installed with, in bytes: the public key of a passkey and the hash of its
 * name. It reads no more, and more would be paid for.
 */
const maxValidatorData = 96;
/** How Kernel 3 writes a root validator that is a contract. */
const validatorType: Hex = '0x01';

/** Kernel 2 installs a validator while it is made; one that is not known could do other work then. */
const readCreation2: ReadCreation = ({ callData }) => {
  const [implementation, data] = readExactly(factory2Abi, 'createAccount', callData) ?? [];
  if (implementation === undefined || data === undefined) return undefined;
  const [validator, validatorData = '0x'] = readExactly(initialize2Abi, 'initialize', data) ?? [];
  return validator === ecdsaValidator2 && size(validatorData) <= maxValidatorData ? { implementation } : undefined;
};

function kernel2(version: string, implementation: Address): AccountCodeKind {
  return {
    name: `Kernel ${version}`,
    decoders: [{ name: 'KERNEL', version }],
    implementations: [{ address: implementation }],
    runsModules: true,
    factories: [{ mark: { address: factory2 }, readCreation: ofImplementation(readCreation2, implementation) }],
    // Mode 0: the account's default validator.
    estimationSignature: concat(['0x00000000', dummySignature]),
  };
}

type Version3 = {
  readonly implementation: Address;
  readonly factory: Address;
  readonly validators: readonly Address[];
};

function kernel3(version: string, { implementation, factory, validators }: Version3): AccountCodeKind {
  const takes = version === '3.0' ? initializes30 : initializes31;
  const readPlain: ReadCreation = ({ callData }) => {
    const [data] = readExactly(factory3Abi, 'createAccount', callData) ?? [];
    return data !== undefined && takes(data, validators) ? { implementation } : undefined;
  };
  const readMeta: ReadCreation = ({ callData }) => {
    const [named, data] = readExactly(metaFactoryAbi, 'deployWithFactory', callData) ?? [];
    return named === factory && data !== undefined && takes(data, validators) ? { implementation } : undefined;
  };
  return {
    name: `Kernel ${version}`,
    decoders: [{ name: 'KERNEL', version }],
    implementations: [{ address: implementation }],
    runsModules: true,
    // Kernel 3 takes no other call data while the validator has a hook.
    hook: { selector: executeUserOpSelector },
    factories: [
      { mark: { address: factory }, readCreation: readPlain },
      { mark: { address: metaFactory }, readCreation: readMeta },
    ],
  };
}

/** One factory makes several versions: each answers for its own. */
function ofImplementation(read: ReadCreation, implementation: Address): ReadCreation {
  return (factory) => {
    const creation = read(factory);
    return creation?.implementation === implementation ? creation : undefined;
  };
}

function initializes30(data: Hex, validators: readonly Address[]): boolean {
  const [root, hook, validatorData = '0x', hookData] = readExactly(initialize30Abi, 'initialize', data) ?? [];
  const isPlain = hook === zeroAddress && hookData === '0x' && size(validatorData) <= maxValidatorData;
  return isPlain && isOneOf(root, validators);
}

/**
 * The list of further calls must be empty: it is not decoded, but its call data is made again without one and compared.
 */
function initializes31(data: Hex, validators: readonly Address[]): boolean {
  const validatorDataAt = 4 + 5 * 32;
  if (size(data) < validatorDataAt + 32) return false;
  const length = BigInt(slice(data, validatorDataAt, validatorDataAt + 32));
  const start = validatorDataAt + 32;
  if (length > BigInt(maxValidatorData) || length > BigInt(size(data) - start)) return false;
  const validatorData = length === 0n ? '0x' : slice(data, start, start + Number(length));
  return validators.some(
    (validator) =>
      encodeFunctionData({
        abi: initialize31Abi,
        args: [concat([validatorType, validator]), zeroAddress, validatorData, '0x', []],
      }).toLowerCase() === data.toLowerCase(),
  );
}

function isOneOf(root: Hex | undefined, validators: readonly Address[]): boolean {
  return validators.some((validator) => concat([validatorType, validator]).toLowerCase() === root?.toLowerCase());
}

/**
 * Kernel, where CREATE2 puts it. Validators and hooks of the owner's choice run next to the calls; while the account is
 * made only the published validators do, and no hook.
 */
export const kernels: readonly AccountCodeKind[] = [
  kernel2('2.2', '0x0DA6a956B9488eD4dd761E59f52FDc6c8068E6B5'),
  kernel2('2.3', '0xD3F582F6B4814E989Ee8E96bc3175320B5A540ab'),
  kernel2('2.4', '0xd3082872F8B06073A021b4602e022d5A070d7cfC'),
  kernel3('3.0', {
    implementation: '0x94F097E1ebEB4ecA3AAE54cabb08905B239A7D27',
    factory: '0x6723b44Abeec4E71eBE3232BD5B455805baDD22f',
    validators: [ecdsaValidator30, webAuthnValidator],
  }),
  kernel3('3.1', {
    implementation: '0xBAC849bB641841b44E965fB01A4Bf5F074f84b4D',
    factory: '0xaac5D4240AF87249B3f71BC8E4A2cae074A3E419',
    validators: [ecdsaValidator31, webAuthnValidator],
  }),
  kernel3('3.2', {
    implementation: '0xD830D15D3dc0C269F3dBAa0F3e8626d33CFdaBe1',
    factory: '0x7a1dBAB750f12a90EB1B60D2Ae3aD17D4D81EfFe',
    validators: [ecdsaValidator31, webAuthnValidator],
  }),
  kernel3('3.3', {
    implementation: '0xd6CEDDe84be40893d153Be9d467CD6aD37875b28',
    factory: '0x2577507b78c2008Ff367261CB6285d44ba5eF2E9',
    validators: [ecdsaValidator31, webAuthnValidator],
  }),
];
