import { omitAbsent } from '@tollfree/contract/omit-absent';
import { accept, refuse } from '../../domain/result/result.ts';
import type { Granted, WorstCase } from '../cost/cap-cost.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { noted } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import type { Parallel } from '../terms/parallel.ts';
import { goUpstream, type Outage } from '../upstream/outage.ts';
import { findFunds, withSecondLook } from './find-funds.ts';

type Needed = Asked & Identified & Granted & WorstCase & Parallel & Outage;

/** Whether the gas tank can pay for the operation with the limits known so far, without a hold. */
export const checkFunds: Step<Needed, object> = noted(
  { rule: 'gas-tank', checked: ({ worstCase }) => `worst case ${worstCase} wei with the limits known so far` },
  (request: Needed) =>
    withSecondLook(request.chain, async () => {
      const { parts, profile, operation, worstCase } = request;
      const funds = await findFunds(request);
      if (!funds.ok) return funds;
      const { sender, nonce } = operation;
      const { paymasterId } = profile.paymaster;
      const policy = omitAbsent({ policyId: profile.chosen?.policyId });
      const available = await parts.availableFunds({ ...funds.value, ...policy, paymasterId, sender, nonce });
      // Before the limits are known the amount may be 0; an empty tank still cannot pay.
      if (available > 0n && available >= worstCase) return accept({});
      return refuse({
        reason: 'INSUFFICIENT_FUNDS',
        message: `The gas tank cannot pay for this operation, which can cost ${worstCase} wei or more.`,
        details: { needed: worstCase.toString() },
      });
    }),
);

/** The same, but continues without checking the tank if another paymaster is used instead. */
export const checkFundsOrGoUpstream: Step<Needed, Outage> = async (request) => {
  if (request.outage !== undefined) return accept({});
  const checked = await checkFunds(request);
  if (checked.ok) return checked;
  return checked.refusal.reason === 'INSUFFICIENT_FUNDS' ? goUpstream(request, checked, {}) : checked;
};
