import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type {
  Grant,
  PaymasterContract,
  PaymasterContractFamily,
  PreflightCheck,
  TokenGrant,
} from '../family/family.ts';
import { hashCheck, sampleSponsored, sampleToken } from '../family/preflight.ts';
import { tokenCharge } from '../family/token-charge.ts';
import { singletonPostOpGas } from './singleton-gas.ts';

/**
 * The most token base units the singleton can take: `(prefund + postOpGas * maxFeePerGas) * exchangeRate / 10^18`, rounded
 * up; 0 when sponsored.
 *
 * The contract charges `(cost + penalty + postOpGas * fee) * exchangeRate / 10^18`, rounded down (`getCostInToken`), where
 * - `fee` is what the operation pays per gas, at most `maxFeePerGas`;
 * - `cost` is what the EntryPoint has counted so far. If its final count is above the required prefund, it reverts the
 *   operation, including the token transfer (`AA51`). So `cost <= prefund` for any charge that persists;
 * - `penalty` is the 0.7 contract's guess of the EntryPoint's penalty, `fee * (limit - used) / 10` with the limits of call
 *   and postOp as `limit` and `used = cost / fee + postOpGas - preVerificationGas - verificationGasLimit - validationGas`, 0
 *   when more was used (0.6 and 0.8 add none: there is no penalty, or `cost` includes it).
 *
 * One more unit of `cost` lowers `penalty` by a tenth at most, so the charge is highest at `cost = prefund`, which is at
 * least the sum of the limits at that fee. There `used >= limit + paymasterVerificationGasLimit + postOpGas - validationGas
 * >= limit`, since our `validationGas` is not above our `postOpGas`. So the penalty is 0, and the bound above remains.
 */
export function maximumSingletonCharge(operation: UserOperationWithGas, grant: Grant): bigint {
  return tokenCharge(operation, grant, singletonPostOpGas);
}

/** Nonzero bytes of an advance. A stub sets two spare bytes, so that it never has more zero bytes. */
const advanceBytes = 2;
/** Exchange rates are per this many wei. */
const weiPerRate = 10n ** 18n;

/**
 * The largest `preFund` that the singleton accepts in validation: `prefund * exchangeRate / 10^18`; above it the contract
 * reverts. Rounded down to its first two bytes, by less than one part in 256; the charge in postOp is exact in any case.
 */
export function mostSingletonAdvance(operation: UserOperationWithGas, { exchangeRate }: TokenGrant): bigint {
  const most = (requiredPrefund(operation) * exchangeRate) / weiPerRate;
  const bytes = Math.ceil(most.toString(16).length / 2);
  const dropped = BigInt(8 * Math.max(bytes - advanceBytes, 0));
  return (most >> dropped) << dropped;
}

/**
 * Pimlico's `UserOperationSponsored`: emitted in postOp in token mode, with the tokens pulled; in validation in sponsored
 * mode, with the zero address as token.
 */
export const singletonTokenPaymentEvents = parseAbi([
  'event UserOperationSponsored(bytes32 indexed userOperationHash, address indexed user, uint8 paymasterMode, address token, uint256 amount, uint256 exchangeRate)',
]);

const singletonAbi = parseAbi([
  'function signers(address signer) view returns (bool)',
  'function isBundlerAllowed(address bundler) view returns (bool)',
]);
const wordOfTrue: Hex = `0x${'1'.padStart(64, '0')}`;

/**
 * Checks of Pimlico's singleton: our key is among its `signers`, named bundlers are allowed, its `getHash` of a sample
 * equals our digest in both modes.
 */
export function singletonPreflight(
  family: Pick<PaymasterContractFamily, 'entryPointVersion' | 'prepare' | 'assemble'>,
  contract: PaymasterContract,
  signer: Address,
): readonly PreflightCheck[] {
  return [
    {
      data: encodeFunctionData({ abi: singletonAbi, functionName: 'signers', args: [signer] }),
      expected: wordOfTrue,
      complaint: `does not accept ${signer} as a signer`,
      remedy: 'Its manager can add it with addSigner and keep the existing ones',
      about: 'signer',
    },
    ...(contract.bundlers ?? []).map((bundler) => ({
      data: encodeFunctionData({ abi: singletonAbi, functionName: 'isBundlerAllowed', args: [bundler] }),
      expected: wordOfTrue,
      complaint: `does not allow the bundler ${bundler} (updateBundlerAllowlist)`,
    })),
    hashCheck(family, contract, sampleSponsored, [], { before: [['uint8', 0]] }),
    hashCheck(family, contract, sampleToken, [], { before: [['uint8', 1]] }),
  ];
}
