import fc from 'fast-check';
import {
  type Decision,
  type Explanation,
  type Fix,
  fixActions,
  operationStatuses,
  paymentWays,
  type Settlement,
} from '../../core/domain/decision.ts';
import type { OperationLife } from '../../core/domain/operation-life.ts';
import { managementReasons, sponsorshipReasons } from '../../core/domain/result/refusal.ts';
import { type UsageRow, usageDimensions } from '../../core/domain/usage.ts';
import { address, amount, chainId, complete, hex, optional, text, time, withOptional } from './arbitrary-values.ts';

export const dimension = fc.constantFrom(...usageDimensions);
export const decisionMethod = fc.constantFrom(
  'getFeeQuoteOrData',
  'sponsorUserOperation',
  'getPaymasterStubData',
  'getPaymasterData',
);
export const decisionOutcome = fc.constantFrom('signed', 'quoted', 'stub', 'refused');
export const sponsorshipMode = fc.constantFrom('SPONSORED', 'ERC20');
const fix: fc.Arbitrary<Fix> = withOptional(
  { action: fc.constantFrom(...fixActions) },
  { target: address, selector: hex, policyField: text, webhookId: text, neededWei: amount },
);
export const explanation: fc.Arbitrary<Explanation> = withOptional(
  {
    decisionId: text,
    decidedAt: time,
    method: decisionMethod,
    chainId,
    outcome: decisionOutcome,
    trace: fc.array(
      withOptional(
        { rule: text, verdict: fc.constantFrom('passed' as const, 'refused' as const), checked: text },
        { limit: text, used: text, remedy: text, fix },
      ),
      { maxLength: 3 },
    ),
  },
  {
    mode: sponsorshipMode,
    policyId: text,
    reason: fc.constantFrom(...managementReasons, ...sponsorshipReasons),
    message: text,
    sender: address,
    nonce: amount,
    token: address,
    tokenOffers: fc.array(complete({ address, symbol: text, decimals: fc.nat(255) }), { minLength: 1, maxLength: 2 }),
    facts: withOptional(
      {
        calls: fc.array(withOptional({ target: address }, { selector: hex }), { maxLength: 3 }),
        deploysOnly: fc.boolean(),
        maxFeePerGas: amount,
      },
      {
        account: withOptional({ known: fc.boolean(), text }, { codeHash: hex, setting: text, entry: text }),
        attribution: fc.array(text, { minLength: 1, maxLength: 3 }),
        subject: text,
        gas: amount,
        worstCase: amount,
        usdMicrosPerCoin: amount,
        withoutWebhooks: fc.array(text, { minLength: 1, maxLength: 3 }),
      },
    ),
  },
);
const settlement: fc.Arbitrary<Settlement> = withOptional(
  {
    state: fc.constantFrom('live' as const, 'settled' as const, 'released' as const),
    held: amount,
  },
  {
    way: fc.constantFrom(...paymentWays),
    charge: amount,
    success: fc.boolean(),
    txHash: hex,
    tokenPayment: complete({ token: address, amount }),
    unpaid: fc.constant(true as const),
  },
);
export const operationStatus = fc.constantFrom(...operationStatuses);
export const operationLife: fc.Arbitrary<OperationLife> = withOptional(
  {
    ...{ userOperationHash: hex, chainId, contract: address, sender: address, nonce: amount, status: operationStatus },
    steps: fc.array(complete({ status: operationStatus, at: time }), { maxLength: 3 }),
    held: amount,
    decisionIds: fc.array(text, { maxLength: 3 }),
  },
  {
    ...{
      validUntil: time,
      charge: amount,
      success: fc.boolean(),
      txHash: hex,
      blockNumber: amount,
      revertReason: text,
    },
    tokenPayment: complete({ token: address, amount }),
    unpaid: fc.constant(true as const),
    replacedBy: hex,
  },
);
export const decision: fc.Arbitrary<Decision> = fc
  .tuple(explanation, optional({ settlement, status: operationStatus, userOperationHash: hex, requestJson: text }))
  .map(([base, extra]) => ({ ...base, ...extra }));
const count = fc.maxSafeNat();
export const usageRow: fc.Arbitrary<UsageRow> = complete({
  key: text,
  decisions: complete({ signed: count, quoted: count, stub: count, refused: count }),
  landed: count,
  charge: amount,
  usersPaid: amount,
  chargeUsdMicros: amount,
  unpriced: count,
  held: amount,
});
