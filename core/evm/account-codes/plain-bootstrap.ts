import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  size,
  slice,
  zeroAddress,
  zeroHash,
} from 'viem';
import { readExactly } from './known-code.ts';

const factoryAbi = parseAbi(['function createAccount(bytes initData, bytes32 salt)']);
const initDataParameters = parseAbiParameters('address bootstrap, bytes bootstrapData');
/** The validators read an owner's address. Further addresses may follow, which the sponsor would pay for. */
const ownerBytes = 20;
const wordBytes = 32;

/**
 * A contract to which a new account delegates its setup, and the calls of it that install one validator for one owner.
 * Clients encode such a call in more than one way. The owner is the first dynamic value after `headWords` words of arguments.
 */
export type PlainBootstrap = {
  readonly address: Address;
  readonly headWords: number;
  encodings(owner: Hex): readonly Hex[];
};

/** Whether the call of a factory does nothing but create an account for one owner through this bootstrap. */
export function createsForOneOwner(callData: Hex, { address, headWords, encodings }: PlainBootstrap): boolean {
  const [initData = '0x'] = readExactly(factoryAbi, 'createAccount', callData) ?? [];
  const owner = ownerIn(initData, headWords);
  if (owner === undefined) return false;
  // Encoding again drops any other content, so the comparison then fails.
  return encodings(owner).some(
    (data) => encodeAbiParameters(initDataParameters, [address, data]) === initData.toLowerCase(),
  );
}

/** The owner in the data of a bootstrap call with this many head words. */
function ownerIn(initData: Hex, headWords: number): Hex | undefined {
  // Two words, the length of the call and its selector come before the head.
  const lengthAt = (3 + headWords) * wordBytes + 4;
  const ownerAt = lengthAt + wordBytes;
  if (size(initData) < ownerAt + wordBytes) return undefined;
  if (BigInt(slice(initData, lengthAt, ownerAt)) !== BigInt(ownerBytes)) return undefined;
  return slice(initData.toLowerCase() as Hex, ownerAt, ownerAt + ownerBytes);
}

/** The data of an absent hook, which no bootstrap reads: empty, or a word as clients write it. */
const dataOfNoHook: readonly Hex[] = ['0x', zeroHash];

/**
 * Calls of a bootstrap whose accounts have a validator by default: its data is the owner, and nothing else is installed. The
 * arguments are the validator's data, then validators, executors, a hook, fallbacks and hooks before validation.
 */
export function defaultValidatorCalls(functionName: string): Omit<PlainBootstrap, 'address'> {
  const abi = parseAbi([
    'struct Module { address module; bytes data; }',
    'struct PreValidationHook { uint256 hookType; address module; bytes data; }',
    `function ${functionName}(bytes defaultValidatorData, Module[] validators, Module[] executors, Module hook, Module[] fallbacks, PreValidationHook[] preValidationHooks)`,
  ] as readonly string[]);
  return {
    headWords: 6,
    encodings: (owner) =>
      dataOfNoHook.map((data) =>
        encodeFunctionData({
          abi,
          functionName,
          args: [owner, [], [], { module: zeroAddress, data }, [], []],
        }),
      ),
  };
}
