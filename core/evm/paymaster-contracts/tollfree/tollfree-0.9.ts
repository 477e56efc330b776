import { keccak256, toHex } from 'viem';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { eip7702Marker, isEip7702InitCode } from '../../entry-point/eip7702-init-code.ts';
import { addressDigits, addressWord, keccakDigits, uintDigits } from '../../entry-point/hex-digits.ts';
import { accountGasLimitsWord, gasFeesWord } from '../../entry-point/packed-user-operation.ts';
import { createTollfreeFamily } from './tollfree-family.ts';
import { firstTollfreeGasLimits } from './tollfree-gas.ts';

const digestType = keccak256(
  toHex(
    'TollfreePaymaster(uint256 chainId,address paymaster,address entryPoint,address sender,uint256 nonce,' +
      'bytes32 initCodeHash,bytes32 callDataHash,bytes32 accountGasLimits,bytes32 paymasterGasLimits,' +
      'uint256 preVerificationGas,bytes32 gasFees,bytes32 termsHash)',
  ),
).slice(2);

/**
 * The first version of the contract, for EntryPoint 0.9. The digest of an operation with the EIP-7702 marker is that of one with
 * the delegate's address instead of the marker, so that the sender may delegate to another contract after the signature.
 */
export const tollfree09 = createTollfreeFamily({
  name: 'tollfree-0.9',
  replacedBy: 'tollfree-2-0.9',
  entryPointVersion: '0.9',
  paymasterGasLimits: firstTollfreeGasLimits,
  digest(contract, operation, terms) {
    const { gas } = operation;
    const words =
      digestType +
      uintDigits(contract.chainId, 32) +
      addressWord(contract.address) +
      addressWord(contract.entryPoint) +
      addressWord(operation.sender) +
      uintDigits(operation.nonce, 32) +
      initCodeHash(operation) +
      keccakDigits(operation.callData.slice(2)) +
      accountGasLimitsWord(operation) +
      uintDigits(gas.paymasterVerificationGasLimit, 16) +
      uintDigits(gas.paymasterPostOpGasLimit, 16) +
      uintDigits(gas.preVerificationGas, 32) +
      gasFeesWord(operation) +
      keccakDigits(terms);
    return `0x${keccakDigits(words)}`;
  },
});

/** Behind the marker of EIP-7702 the contract hashes whom the sender delegates to, as the EntryPoint does. */
function initCodeHash({ initCode, eip7702Delegate }: UserOperationWithGas): string {
  if (!isEip7702InitCode(initCode)) return keccakDigits(initCode.slice(2));
  if (eip7702Delegate === undefined) {
    throw new TypeError(
      'Operations with the EIP-7702 marker can be signed for only if the sender’s delegate is known.',
    );
  }
  return keccakDigits(addressDigits(eip7702Delegate) + initCode.slice(eip7702Marker.length));
}
