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
 * The most token base units the singleton can take: `(prefund + postOpGas * maxFeePerGas) * exchangeRate / 10^18`,
 * rounded up; 0 when sponsored.
 *
 * The contract charges `(cost + penalty + postOpGas * fee) * exchangeRate / 10^18`, rounded down (`getCostInToken`), where
 * - `fee` is what the operation pays per gas, at most `maxFeePerGas`;
 * - `cost` is what the EntryPoint has counted so far. It keeps counting and undoes the operation, and the transfer of
 *   tokens with it, when the end of it is above the required prefund (`AA51`). So `cost <= prefund` for a charge that
 *   stays;
 * - `penalty` is the 0.7 contract's guess of the EntryPoint's fine, `fee * (limit - used) / 10` with the limits of call
 *   and postOp as `limit` and `used = cost / fee + postOpGas - preVerificationGas - verificationGasLimit - validationGas`,
 *   0 when more was used (0.6 and 0.8 add none: there is no fine, or the EntryPoint has put it into `cost`).
 *
 * One more unit of `cost` lowers `penalty` by a tenth at most, so the charge is highest at `cost = prefund`, which is at
 * least the sum of the limits at that fee. There `used >= limit + paymasterVerificationGasLimit + postOpGas -
 * validationGas >= limit`, since our `validationGas` is not above our `postOpGas`: the penalty is 0 and the bound is left.
 */
export function maximumSingletonCharge(operation: UserOperationWithGas, grant: Grant): bigint {
  return tokenCharge(operation, grant, singletonPostOpGas);
}

/** Bytes of an advance that are not zero. A stub has two to spare, so that it never has more zero bytes. */
const advanceBytes = 2;
/** Exchange rates are for this many wei. */
const weiPerRate = 10n ** 18n;

/**
 * The most that the singleton lets itself be told to take in validation (`preFund`): `prefund * exchangeRate / 10^18`,
 * above which it reverts. Rounded down to its first two bytes, by less than one part in 256; the charge in postOp is the
 * exact one in any case.
 */
export function mostSingletonAdvance(operation: UserOperationWithGas, { exchangeRate }: TokenGrant): bigint {
  const most = (requiredPrefund(operation) * exchangeRate) / weiPerRate;
  const bytes = Math.ceil(most.toString(16).length / 2);
  const dropped = BigInt(8 * Math.max(bytes - advanceBytes, 0));
  return (most >> dropped) << dropped;
}

/**
 * Pimlico's `UserOperationSponsored`: in token mode of postOp, with what was pulled; in sponsored mode of validation, with
 * the zero address as token.
 */
export const singletonTokenPaymentEvents = parseAbi([
  'event UserOperationSponsored(bytes32 indexed userOperationHash, address indexed user, uint8 paymasterMode, address token, uint256 amount, uint256 exchangeRate)',
]);

const singletonAbi = parseAbi([
  'function signers(address signer) view returns (bool)',
  'function isBundlerAllowed(address bundler) view returns (bool)',
]);
const wordOfTrue: Hex = `0x${'1'.padStart(64, '0')}`;

/** Pimlico's singleton: our key among its `signers`, named bundlers allowed, its `getHash` of a sample equal to our digest in both modes. */
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
    hashCheck(family, contract, { grant: sampleSponsored }, { before: [['uint8', 0]] }),
    hashCheck(family, contract, { grant: sampleToken }, { before: [['uint8', 1]] }),
  ];
}
