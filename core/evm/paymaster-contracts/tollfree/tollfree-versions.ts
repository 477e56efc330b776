import { type Hex, keccak256, toHex } from 'viem';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { addressWord, hashBytes, keccakDigits, uintDigits } from '../../abi/hex-digits.ts';
import { delegationCode, isEip7702InitCode } from '../../entry-point/eip7702.ts';
import { accountGasLimitsWord, gasFeesWord } from '../../entry-point/packed-user-operation.ts';
import type { PaymasterContract } from '../family/family.ts';
import { createTollfreeFamily, readTollfreeTerms } from './tollfree-family.ts';

/** The 2 is part of the contract's text; there was no earlier release. */
const digestType = keccak256(
  toHex(
    'TollfreePaymaster2(uint256 chainId,address paymaster,address entryPoint,address sender,uint256 nonce,' +
      'bytes32 initCodeHash,bytes32 callDataHash,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,' +
      'bytes32 delegation,bytes32 paymasterGasLimits,bytes terms)',
  ),
).slice(2);

/** The contract at EntryPoint 0.8, which hashes all of the data, including a trailing signature. */
export const tollfree08 = createTollfreeFamily({ name: 'tollfree-0.8', entryPointVersion: '0.8', digest });

/** The contract at EntryPoint 0.9. */
export const tollfree09 = createTollfreeFamily({
  name: 'tollfree-0.9',
  entryPointVersion: '0.9',
  digest,
  readStubTerms: readTollfreeTerms,
});

export const tollfreeFamilies = [tollfree08, tollfree09] as const;

function digest(contract: PaymasterContract, operation: UserOperationWithGas, terms: string): Hex {
  const { gas } = operation;
  const words =
    digestType +
    uintDigits(contract.chainId, 32) +
    addressWord(contract.address) +
    addressWord(contract.entryPoint) +
    addressWord(operation.sender) +
    uintDigits(operation.nonce, 32) +
    hashBytes(operation.initCode) +
    hashBytes(operation.callData) +
    accountGasLimitsWord(operation) +
    uintDigits(gas.preVerificationGas, 32) +
    gasFeesWord(operation) +
    delegationWord(operation) +
    uintDigits(gas.paymasterVerificationGasLimit, 16) +
    uintDigits(gas.paymasterPostOpGasLimit, 16) +
    terms;
  return `0x${keccakDigits(words)}`;
}

/** The code of a sender whose operation has the EIP-7702 marker; zeros for other operations. */
function delegationWord({ initCode, eip7702Delegate }: UserOperationWithGas): string {
  if (!isEip7702InitCode(initCode)) return ''.padEnd(64, '0');
  if (eip7702Delegate === undefined) {
    throw new TypeError(
      'Operations with the EIP-7702 marker can be signed for only if the sender’s delegate is known.',
    );
  }
  return delegationCode(eip7702Delegate).slice(2).padEnd(64, '0').toLowerCase();
}
