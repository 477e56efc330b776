import { type Address, domainSeparator, type Hex, numberToHex, pad } from 'viem';
import { addressDigits, addressWord, hashBytes, keccakDigits, uintDigits } from '../abi/hex-digits.ts';
import { eip7702Marker, isEip7702InitCode } from './eip7702.ts';
import { type EntryPoint, type OperationToHash, senderCreatorOf } from './entry-point.ts';
import { packedFields } from './packed-user-operation.ts';
import { entryPointSimulations } from './simulations.generated.ts';
import { entryPoint07 } from './v0.7.ts';

/** Hash of the text behind `PACKED_USEROP_TYPEHASH`. */
const operationTypeHash = keccakOfText(
  'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,' +
    'uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)',
);
const domainTypeHash = keccakOfText(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);
const domainName = keccakOfText('ERC4337');
const domainVersion = keccakOfText('1');

/** Slot of `EntryPointSimulations._senderCreator`; the domain separator is in the next one. */
const senderCreatorSlot = 4n;

/** Hashes operations as typed data (EIP-712), and supports EIP-7702. */
export const entryPoint08: EntryPoint = {
  ...entryPoint07,
  version: '0.8',
  knowsEip7702Marker: true,
  hash: hashTypedData,
  simulation: {
    ...entryPoint07.simulation,
    code: entryPointSimulations['0.8'],
    storage: immutables,
    // The deposit changes: 7,200 with mainnet's prices.
    paymasterOverhead: ({ changedSlot }) => changedSlot + 2_200n,
  },
};

/**
 * In the hash, the delegate replaces the EIP-7702 marker in `initCode` (`Eip7702Support`). Throws `TypeError` when the
 * operation has the marker but no `eip7702Delegate`.
 */
function hashTypedData(input: OperationToHash): Hex {
  const domain = keccakDigits(
    domainTypeHash + domainName + domainVersion + uintDigits(input.chainId, 32) + addressWord(input.entryPoint),
  );
  const message = keccakDigits(operationTypeHash + packedFields(input, hashInitCode(input)));
  return `0x${keccakDigits(`1901${domain}${message}`)}`;
}

function hashInitCode({ operation: { initCode, eip7702Delegate } }: OperationToHash): string {
  if (!isEip7702InitCode(initCode)) return hashBytes(initCode);
  if (eip7702Delegate === undefined) {
    throw new TypeError('Operations with the EIP-7702 marker can be hashed only if the sender’s delegate is known.');
  }
  return keccakDigits(addressDigits(eip7702Delegate) + initCode.slice(eip7702Marker.length));
}

/**
 * The simulation code keeps these values in storage, while the EntryPoint has them in its code: the SenderCreator and its
 * EIP-712 domain. Accounts and factories may read them.
 */
function immutables(entryPoint: Address, chainId: number): Record<Hex, Hex> {
  const domain = { name: 'ERC4337', version: '1', chainId, verifyingContract: entryPoint };
  return {
    [numberToHex(senderCreatorSlot, { size: 32 })]: pad(senderCreatorOf(entryPoint)),
    [numberToHex(senderCreatorSlot + 1n, { size: 32 })]: domainSeparator({ domain }),
  };
}

function keccakOfText(text: string): string {
  return keccakDigits(Buffer.from(text).toString('hex'));
}
