import {
  DecidedAccountSchema,
  DecidedCallSchema,
  DecisionFactsSchema,
  DecisionFilterSchema,
  DecisionPageSchema,
  DecisionSchema,
  FixSchema,
  SettlementSchema,
  TokenPaymentSchema,
  TraceStepSchema,
} from '../../../proto/gen/tollfree/core/v1/decision_pb.ts';
import { StringListSchema } from '../../../proto/gen/tollfree/core/v1/string_list_pb.ts';
import {
  type DecidedAccount,
  type DecidedCall,
  type Decision,
  type DecisionFacts,
  type DecisionFilter,
  type DecisionPage,
  decisionMethods,
  decisionOutcomes,
  type Fix,
  fixActions,
  operationStatuses,
  paymentWays,
  type Settlement,
  settlementStates,
  type TraceStep,
  traceVerdicts,
} from '../../domain/decision.ts';
import { sponsorshipModes } from '../../domain/sponsorship.ts';
import { address } from '../codec/address.ts';
import { chainId } from '../codec/chain-id.ts';
import { decimal } from '../codec/decimal.ts';
import { hex } from '../codec/hex.ts';
import { listOf, texts } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { seconds } from '../codec/seconds.ts';
import { soleField } from '../codec/sole-field.ts';
import { trueOrAbsent } from '../codec/true-or-absent.ts';
import { refusalReason, tokenOffers } from './refusal-messages.ts';

const fix = messageOf<Fix>()(FixSchema, {
  action: oneOf(fixActions),
  target: address,
  selector: hex,
  neededWei: decimal,
});
const traceStep = messageOf<TraceStep>()(TraceStepSchema, { verdict: oneOf(traceVerdicts), fix });
const decidedCall = messageOf<DecidedCall>()(DecidedCallSchema, {
  target: address,
  selector: hex,
  value: decimal,
  data: hex,
});
const decidedAccount = messageOf<DecidedAccount>()(DecidedAccountSchema, { codeHash: hex });
const facts = messageOf<DecisionFacts>()(DecisionFactsSchema, {
  calls: listOf(decidedCall),
  maxFeePerGas: decimal,
  account: decidedAccount,
  attribution: soleField(StringListSchema, texts),
  withoutWebhooks: soleField(StringListSchema, texts),
  gas: decimal,
  worstCase: decimal,
  usdMicrosPerCoin: decimal,
});

type TokenPayment = NonNullable<Settlement['tokenPayment']>;
export const tokenPayment = messageOf<TokenPayment>()(TokenPaymentSchema, { token: address, amount: decimal });
const settlement = messageOf<Settlement>()(SettlementSchema, {
  state: oneOf(settlementStates),
  way: oneOf(paymentWays),
  held: decimal,
  charge: decimal,
  txHash: hex,
  tokenPayment,
  unpaid: trueOrAbsent,
});

/** Good for an explanation too, which is a decision without a settlement. */
export const decision = messageOf<Decision>()(DecisionSchema, {
  decidedAt: seconds,
  method: oneOf(decisionMethods),
  chainId,
  outcome: oneOf(decisionOutcomes),
  status: oneOf(operationStatuses),
  userOperationHash: hex,
  mode: oneOf(sponsorshipModes),
  reason: refusalReason,
  sender: address,
  nonce: decimal,
  token: address,
  facts,
  settlement,
  tokenOffers,
  trace: listOf(traceStep),
});

export const decisionPage = messageOf<DecisionPage>()(DecisionPageSchema, { decisions: listOf(decision) });

export const decisionFilter = messageOf<DecisionFilter>()(DecisionFilterSchema, {
  outcome: oneOf(decisionOutcomes),
  mode: oneOf(sponsorshipModes),
  status: oneOf(operationStatuses),
  from: seconds,
  until: seconds,
});
