import { minBigint } from '../../base/values/integers.ts';
import type { TokenConfig } from '../../domain/core-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { PaymasterContractFamily, TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import { asCharged } from '../../gas/token-payment-trial.ts';
import type { FeeView } from '../../node/read-fees.ts';
import type { Granted } from '../cost/cap-cost.ts';
import type { Identified } from '../identify/identify.ts';
import type { Viewed } from '../permit/check-chain.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused, type Step } from '../run/steps.ts';
import type { FeeToken } from './choose-tokens.ts';

/** Fewest base units of a charge: contracts round down, which then loses at most a twentieth. */
export const minTokenCharge = 20n;

/** A charge in a token, and what it depends on. */
type Charged = {
  readonly family: Pick<PaymasterContractFamily, 'maximumTokenCharge'>;
  readonly operation: UserOperationWithGas;
  readonly grant: TokenGrant;
  /** The chain's gas prices, if known. */
  readonly fees: FeeView | undefined;
};

/**
 * The expected charge in base units, by the limits and the current gas price. A `maxFeePerGas` far above that price
 * increases the maximum but not the charge's precision.
 */
export function expectedTokenCharge({ family, operation, grant, fees }: Charged): bigint {
  const { maxFeePerGas, maxPriorityFeePerGas } = operation;
  const price = fees === undefined ? maxFeePerGas : minBigint(maxFeePerGas, fees.baseFee + maxPriorityFeePerGas);
  return family.maximumTokenCharge(asCharged({ ...operation, maxFeePerGas: price }), grant);
}

/** `TOKEN_NOT_SUPPORTED` for a token whose base unit is too coarse for the operation's cost. Free gas costs nothing. */
export function judgeTokenGrain({ symbol, decimals }: TokenConfig, charged: Charged): Result<Record<never, never>> {
  const expected = expectedTokenCharge(charged);
  if (expected >= minTokenCharge || charged.operation.maxFeePerGas === 0n) return accept({});
  return refuse({
    reason: 'TOKEN_NOT_SUPPORTED',
    message:
      `${symbol} is too coarse for this operation. With ${decimals} decimals, its charge is ${expected} base units, but ` +
      `it must be at least ${minTokenCharge}. Use a token with more decimals or a lower value.`,
    field: 'tokenInfo.feeTokenAddress',
    details: { symbol, expected: expected.toString(), minimum: minTokenCharge.toString() },
  });
}

/** Checks that the token is divisible enough for the charge. */
export const checkTokenGrain: Step<Asked & Identified & Viewed & FeeToken & Granted<TokenGrant>, object> =
  notedIfRefused({ rule: 'fee-token', finding: ['token-grain'] }, ({ contract, operation, grant, view, token }) =>
    judgeTokenGrain(token, { family: contract.family, operation, grant, fees: view.fees }),
  );
