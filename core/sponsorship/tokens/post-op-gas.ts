import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { PaymasterContractFamily, TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';

const zeroAddress = '0x0000000000000000000000000000000000000000';

/** One base unit of the token for one wei. */
const grantAtPar: TokenGrant = {
  mode: 'ERC20',
  validUntil: 1,
  validAfter: 1,
  token: zeroAddress,
  exchangeRate: 10n ** 18n,
  treasury: zeroAddress,
};

/**
 * Gas that a family charges the user for beyond the operation's own limits, premium not included: its charge for an
 * operation without limits at 1 wei per gas and one token unit per wei.
 */
export function postOpGas(family: PaymasterContractFamily): bigint {
  const operation: UserOperationWithGas = {
    entryPointVersion: family.entryPointVersion,
    sender: zeroAddress,
    nonce: 0n,
    initCode: '0x',
    callData: '0x',
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    signature: '0x',
    gas: {
      callGasLimit: 0n,
      verificationGasLimit: 0n,
      preVerificationGas: 0n,
      paymasterVerificationGasLimit: 0n,
      paymasterPostOpGasLimit: 0n,
    },
  };
  return family.maximumTokenCharge(operation, grantAtPar);
}
