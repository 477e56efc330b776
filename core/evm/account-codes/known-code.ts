import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  type Hex,
  size,
} from 'viem';

/**
 * A well-formed ECDSA signature of no known key: `r` is the x of a point on the curve and `s` is low, so recovery returns
 * some address instead of failing. Accounts then return "signature failed", which estimation accepts.
 */
export const dummySignature: Hex = `0x${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}${'3a'.repeat(32)}1c`;

/**
 * How code is recognized. Either by its hash, with the words masked that each deployment sets (`immutables`: offsets of
 * 32-byte words in the runtime code). Or by its CREATE2 address, which depends on the code, so no other code can be there.
 */
export type CodeMark =
  | { readonly codeHash: Hex; readonly immutables?: readonly number[] }
  | { readonly address: Address };

/**
 * A slot of the account that must hold one of these addresses, for code that forwards the EntryPoint's calls to that
 * address.
 */
type RequiredSlot = { readonly slot: Hex; readonly oneOf: readonly Address[] };

/**
 * The account that a factory call creates. Without an `implementation`, the operator vouches for the factory. `runs` are
 * contracts called during creation whose addresses do not determine their code. The code of each must have one of its marks,
 * or be a helper of the configuration.
 */
export type Creation = {
  readonly implementation?: Address;
  readonly runs?: readonly { readonly address: Address; readonly marks: readonly CodeMark[] }[];
};

/** Derives the created account from a factory's code and call data; undefined if the call may do other work. */
export type ReadCreation = (factory: { readonly code: Hex; readonly callData: Hex }) => Creation | undefined;

/** Factories that only create accounts of known code. */
export type KnownFactory = { readonly mark: CodeMark; readonly readCreation: ReadCreation };

/** A kind of account, defined by its code. */
export type AccountCodeKind = {
  /** Its usual name, with its version. */
  readonly name: string;
  /** The decoders that read its `callData`, by name and version. */
  readonly decoders: readonly { readonly name: string; readonly version: string }[];
  readonly implementations: readonly CodeMark[];
  readonly requires?: readonly RequiredSlot[];
  readonly factories?: readonly KnownFactory[];
  /**
   * A signature with which accounts of this kind validate without reverting. Estimation uses it when the client's signature
   * does not. An ECDSA signature when absent.
   */
  readonly estimationSignature?: Hex;
  /**
   * What published clients send beyond what is measured, in gas: a `leastVerification` limit, or more for each owner after
   * the first who has to sign.
   */
  readonly clientGas?: {
    readonly leastVerification?: bigint;
    readonly perFurtherOwner?: Readonly<Record<'verificationGasLimit' | 'preVerificationGas', bigint>>;
  };
};

/**
 * A contract that only delegates: to the address in one of its slots (`own-address`: the slot whose number is the account's
 * address), or to the target named by the beacon in that slot.
 */
export type KnownProxy = {
  readonly mark: Extract<CodeMark, { codeHash: Hex }>;
  readonly slot: Hex | 'own-address';
  readonly through?: 'beacon';
};

/** The address in the last 20 bytes of a word, as the EVM reads it; undefined for the zero address. */
export function addressInWord(word: Hex): Address | undefined {
  const digits = word.slice(2).padStart(64, '0').slice(-40);
  return /^0*$/.test(digits) ? undefined : getAddress(`0x${digits}`);
}

/** The address in the word at an offset (bytes) of code. */
export function addressInCode(code: Hex, offset: number): Address | undefined {
  const start = 2 + offset * 2;
  return code.length < start + 64 ? undefined : addressInWord(`0x${code.slice(start, start + 64)}`);
}

type Args<Functions extends Abi, Name extends ContractFunctionName<Functions>> = ContractFunctionArgs<
  Functions,
  'pure' | 'view' | 'nonpayable' | 'payable',
  Name
>;

/**
 * Most bytes of a call that creates an account: a Safe with two hundred owners. Decoding computes the checksum of each
 * address, so 60 KB of them would keep the event loop busy for tens of milliseconds.
 */
const maxCreationBytes = 8_192;

/**
 * The arguments of a call of this one function in canonical encoding; undefined for any other bytes, and for more than
 * {@link maxCreationBytes}. Only for functions without arrays of dynamic items, which cost more to decode than they have
 * bytes.
 */
export function readExactly<const Functions extends Abi, Name extends ContractFunctionName<Functions>>(
  functions: Functions,
  functionName: Name,
  data: Hex,
): Args<Functions, Name> | undefined {
  const abi: Abi = functions;
  if (size(data) > maxCreationBytes) return undefined;
  try {
    const { functionName: called, args } = decodeFunctionData({ abi, data });
    if (
      called !== functionName ||
      encodeFunctionData({ abi, functionName: called, args }).toLowerCase() !== data.toLowerCase()
    ) {
      return undefined;
    }
    return args as Args<Functions, Name>; // the ABI has only this function
  } catch {
    return undefined;
  }
}
