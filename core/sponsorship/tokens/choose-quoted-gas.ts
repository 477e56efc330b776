import { accept } from '../../domain/result/result.ts';
import { requiredGas } from '../../evm/entry-point/entry-points.ts';
import { isEstimated, type WithGas } from '../gas/choose-gas.ts';
import { approvalGasAllowance, findGasLimits } from '../gas/find-gas-limits.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import { type Asked, noted, type Step, type UserPays } from '../run/steps.ts';
import { type GivenPermit, tokenGrant } from './grant-tokens.ts';
import type { TokenRatesNow } from './read-token-rates.ts';

type Needed = Asked & Identified & ReadOperation & TokenRatesNow & UserPays & GivenPermit;

/** The limits for the quotes, with room for an approval that the client may add, or for its permit. */
export const chooseQuotedGas: Step<Needed, WithGas> = noted(
  {
    rule: 'gas-limits',
    finding: ({ context }) => ['gas-limits', isEstimated(context)],
  },
  async (request: Needed) => {
    const { context, rates, window, operation } = request;
    const [first] = rates;
    if (first === undefined) throw new Error('There is no token to quote in.');
    const gas = await findGasLimits(request, {
      calculate: isEstimated(context),
      grant: tokenGrant(request, first, window),
      callGasAllowance: request.permit === undefined ? approvalGasAllowance : 0n,
      // A higher maximum does no harm, and `pm_getPaymasterData` raises the limits that it signs.
      withoutUnseenGas: 'raise',
    });
    if (!gas.ok) return gas;
    const { limits, ownLimits = limits } = gas.value;
    const chosen = { ...operation, gas: limits };
    const own = { ...operation, gas: ownLimits };
    // Our own limits are signed if a bundler's exceed the quote, so the quote must cover them.
    return accept({ operation: requiredGas(own) > requiredGas(chosen) ? own : chosen });
  },
);
