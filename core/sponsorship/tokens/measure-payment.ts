import { accept } from '../../domain/result/result.ts';
import { maxBigint } from '../../domain/values/bigint-bounds.ts';
import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import { addMargin, postOpMarginBasisPoints } from '../../gas/simulation/estimation-limits.ts';
import type { WithGas } from '../gas/choose-gas.ts';
import type { Identified } from '../request/identify.ts';
import type { Asked } from '../run/asked.ts';
import { inTurn } from '../run/in-turn.ts';
import type { Step } from '../run/steps.ts';
import type { FeeToken } from './choose-fee-token.ts';
import { trialOf } from './trial-of.ts';

type Needed = Asked & Identified & FeeToken & WithGas & { readonly grant: TokenGrant };

/**
 * Gives a stub the postOp limit that the token needs, where the operation can be tried already: its client keeps the limit
 * for what is signed.
 */
export const measurePayment: Step<Needed, WithGas> = async (request) => {
  const { operation, chain } = request;
  if (operation.entryPointVersion === '0.6') return accept({ operation });
  const trial = trialOf(request, request);
  const measured = await inTurn(request, async () => accept(await chain.paymentTrial.measure(trial)));
  if (!measured.ok) return measured;
  const payable = measured.value;
  if (payable === undefined) return accept({ operation });
  const needed = addMargin(payable.postOpGas, postOpMarginBasisPoints);
  const paymasterPostOpGasLimit = maxBigint(needed, operation.gas.paymasterPostOpGasLimit);
  return accept({ operation: { ...operation, gas: { ...operation.gas, paymasterPostOpGasLimit } } });
};
