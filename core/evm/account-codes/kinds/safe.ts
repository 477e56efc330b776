import { type Address, concat, encodeFunctionData, encodePacked, type Hex, pad, parseAbi, size, slice } from 'viem';
import { addressOf, implementationsOf, marksOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, type CodeMark, dummySignature, type ReadCreation, readExactly } from '../known-code.ts';

export const safeFactoryAbi = parseAbi([
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)',
]);
const setupAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
]);
const enableModulesAbi = parseAbi(['function enableModules(address[] modules)']);
const multiSendAbi = parseAbi(['function multiSend(bytes transactions)']);

/** `fallback_manager.handler.address`: the contract that handles calls unknown to the Safe, including `validateUserOp`. */
export const fallbackHandlerSlot: Hex = '0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5';
export const safeFactories = [...marksOf('Safe 1.4.1', 'factory'), ...marksOf('Safe 1.5.0', 'factory')];
const multiSends = [addressOf('Safe 1.4.1', 'MultiSend'), addressOf('Safe 1.5.0', 'MultiSend')];

/** A module for ERC-4337, and the contract that enables it in a Safe's setup. */
type Module = { readonly module: Address; readonly setup: Address };

const module020: Module = {
  module: addressOf('Safe 1.4.1', 'Safe4337Module 0.2.0'),
  setup: addressOf('Safe 1.4.1', 'AddModulesLib 0.2.0'),
};
const setup030 = addressOf('Safe 1.4.1', 'SafeModuleSetup 0.3.0');
const module030: Module = { module: addressOf('Safe 1.4.1', 'Safe4337Module 0.3.0'), setup: setup030 };
const multiChainModule: Module = {
  module: addressOf('Safe with multi-chain signatures', 'Safe4337MultiChainSignatureModule'),
  setup: setup030,
};

/** Whether the setup's delegate call only enables the module, directly or as the only call of a MultiSend. */
function enablesOnly(known: Module, call: { readonly to: Address; readonly data: Hex }): boolean {
  const enabling = encodeFunctionData({ abi: enableModulesAbi, args: [[known.module]] });
  const data = call.data.toLowerCase();
  if (call.to === known.setup) return data === enabling;
  const delegateCall = 1;
  const batch = encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [delegateCall, known.setup, 0n, BigInt(size(enabling)), enabling],
  );
  return multiSends.includes(call.to) && data === encodeFunctionData({ abi: multiSendAbi, args: [batch] });
}

/** What the call data of a factory creates; undefined for other calls. */
function readProxyCall(callData: Hex) {
  const [singleton, initializer] = readExactly(safeFactoryAbi, 'createProxyWithNonce', callData) ?? [];
  const setup = initializer === undefined ? undefined : readExactly(setupAbi, 'setup', initializer);
  return singleton === undefined || setup === undefined ? undefined : { singleton, setup };
}

const factoryBytes = 20;

/** How many owners have to sign for the Safe that the operation creates; undefined if it creates none. */
export function createdSafeThreshold(initCode: Hex): bigint | undefined {
  if (size(initCode) <= factoryBytes) return undefined;
  const [, threshold] = readProxyCall(slice(initCode, factoryBytes))?.setup ?? [];
  return threshold;
}

type Safe = {
  readonly name: string;
  readonly versions: readonly string[];
  readonly implementations: readonly CodeMark[];
  readonly modules: readonly Module[];
  readonly estimationSignature: Hex;
};

/** A Safe with one of these modules as fallback handler. Its factories do nothing else. */
function safe({ name, versions, implementations, modules, estimationSignature }: Safe): AccountCodeKind {
  const readCreation: ReadCreation = ({ callData }) => {
    const read = readProxyCall(callData);
    if (read === undefined) return undefined;
    const { singleton, setup } = read;
    if (!implementations.some((mark) => 'address' in mark && mark.address === singleton)) return undefined;
    const [, , to, data, fallbackHandler, , payment] = setup;
    const known = modules.find(({ module }) => module === fallbackHandler);
    if (known === undefined || payment !== 0n || !enablesOnly(known, { to, data })) return undefined;
    return { implementation: singleton };
  };
  return {
    name,
    decoders: versions.map((version) => ({ name: 'SAFE', version })),
    implementations,
    requires: [{ slot: fallbackHandlerSlot, oneOf: modules.map(({ module }) => module) }],
    factories: safeFactories.map((mark) => ({ mark, readCreation })),
    estimationSignature,
    // What abstractionkit adds for a signature, and the 65 bytes of one at 16 gas with a quarter more.
    clientGas: { perFurtherOwner: { verificationGasLimit: 55_000n, preVerificationGas: 1_300n } },
  };
}

/** The validity times of the module, both 0, and one owner's signature. */
const timedSignature = concat([pad('0x', { size: 12 }), dummySignature]);

export const safes: readonly AccountCodeKind[] = [
  safe({
    name: 'Safe 1.4.1',
    versions: ['1.4.1'],
    implementations: implementationsOf('Safe 1.4.1'),
    modules: [module020, module030],
    estimationSignature: timedSignature,
  }),
  safe({
    name: 'Safe 1.5.0',
    versions: ['1.5.0'],
    implementations: implementationsOf('Safe 1.5.0'),
    modules: [module030],
    estimationSignature: timedSignature,
  }),
  // The same code with another module, whose signatures can be valid on several chains.
  safe({
    name: 'Safe with multi-chain signatures',
    versions: ['1.4.1', '1.5.0'],
    implementations: [...implementationsOf('Safe 1.4.1'), ...implementationsOf('Safe 1.5.0')],
    modules: [multiChainModule],
    // Prefixed with the depth of the operations' Merkle tree, 0 for a single operation.
    estimationSignature: concat(['0x00', timedSignature]),
  }),
];
