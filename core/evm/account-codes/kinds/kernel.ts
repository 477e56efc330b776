import { type Address, concat, encodeFunctionData, type Hex, parseAbi, size, slice, zeroAddress } from 'viem';
import { addressOf, implementationsOf, marksOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, dummySignature, type ReadCreation, readExactly } from '../known-code.ts';

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

const ecdsaValidator2 = addressOf('Kernel 2.4', 'ECDSAValidator');
/**
 * Most install data of a published validator, in bytes: a passkey's public key and the hash of its name. The validator reads
 * no more, and the sponsor would pay for more.
 */
const maxValidatorData = 96;
/** How Kernel 3 marks a root validator that is a contract. */
const validatorType: Hex = '0x01';

/** Kernel 2 installs a validator during creation; an unknown validator could do other work then. */
const readCreation2: ReadCreation = ({ callData }) => {
  const [implementation, data] = readExactly(factory2Abi, 'createAccount', callData) ?? [];
  if (implementation === undefined || data === undefined) return undefined;
  const [validator, validatorData = '0x'] = readExactly(initialize2Abi, 'initialize', data) ?? [];
  return validator === ecdsaValidator2 && size(validatorData) <= maxValidatorData ? { implementation } : undefined;
};

function kernel2(version: string): AccountCodeKind {
  const name = `Kernel ${version}`;
  const readCreation = ofImplementation(readCreation2, addressOf(name, 'Kernel'));
  return {
    name,
    decoders: [{ name: 'KERNEL', version }],
    implementations: implementationsOf(name),
    factories: marksOf(name, 'factory').map((mark) => ({ mark, readCreation })),
    // Mode 0: the account's default validator.
    estimationSignature: concat(['0x00000000', dummySignature]),
  };
}

function kernel3(version: string): AccountCodeKind {
  const name = `Kernel ${version}`;
  const implementation = addressOf(name, 'Kernel');
  const factory = addressOf(name, 'KernelFactory');
  const validators = [addressOf(name, 'ECDSAValidator'), addressOf(name, 'WebAuthnValidator')];
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
    name,
    decoders: [{ name: 'KERNEL', version }],
    implementations: implementationsOf(name),
    factories: [
      { mark: { address: factory }, readCreation: readPlain },
      { mark: { address: addressOf(name, 'FactoryStaker') }, readCreation: readMeta },
    ],
  };
}

/** One factory creates several versions; each kind answers for its own. */
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
 * The list of further calls must be empty. It is not decoded: the call data is encoded again with an empty list and
 * compared.
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
 * Kernel, at its CREATE2 addresses. Validators and hooks chosen by the owner run alongside the calls; during creation only
 * the published validators run, and no hook.
 */
export const kernels: readonly AccountCodeKind[] = [
  ...['2.2', '2.3', '2.4'].map(kernel2),
  ...['3.0', '3.1', '3.2', '3.3'].map(kernel3),
];
