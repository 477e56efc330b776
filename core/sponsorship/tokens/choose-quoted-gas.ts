import { accept } from '../../domain/result/result.ts';
import { isEstimated, type WithGas } from '../gas/choose-gas.ts';
import { approvalGasAllowance, findGasLimits } from '../gas/find-gas-limits.ts';
import type { Identified } from '../request/identify.ts';
import type { ReadOperation } from '../request/read-user-operation.ts';
import type { Asked } from '../run/asked.ts';
import { noted } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import type { TokenRatesNow } from './read-token-rates.ts';
import { tokenGrant } from './token-grant.ts';

type Needed = Asked & Identified & ReadOperation & TokenRatesNow;

/** The limits that the quotes are for, with room for an approval that the client may add. */
export const chooseQuotedGas: Step<Needed, WithGas> = noted(
  {
    rule: 'gas-limits',
    checked: ({ context }) => (isEstimated(context) ? 'an estimate of ours' : 'the limits that were sent'),
  },
  async (request: Needed) => {
    const { context, rates, window, operation } = request;
    const [first] = rates;
    if (first === undefined) throw new Error('There is no token to quote in.');
    const gas = await findGasLimits(request, {
      calculate: isEstimated(context),
      grant: tokenGrant(request, first, window),
      callGasAllowance: approvalGasAllowance,
      // A higher maximum is no harm, and `pm_getPaymasterData` raises the limits that it signs.
      withoutUnseenGas: 'raise',
    });
    return gas.ok ? accept({ operation: { ...operation, gas: gas.value.limits } }) : gas;
  },
);
