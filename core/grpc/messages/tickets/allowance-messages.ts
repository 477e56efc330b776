import {
  AllowanceSchema,
  BudgetStopSchema,
  LimitAllowanceSchema,
} from '../../../../proto/gen/tollfree/core/v1/allowance_pb.ts';
import { limitScopes, limitUnits, limitWindows } from '../../../domain/policy.ts';
import {
  type Allowance,
  type BudgetStop,
  budgetStops,
  type LimitAllowance,
} from '../../../domain/tickets/allowance.ts';
import { decimal } from '../../codec/decimal.ts';
import { hex } from '../../codec/hex.ts';
import { listOf } from '../../codec/list.ts';
import { messageOf } from '../../codec/message-of.ts';
import { oneOf } from '../../codec/one-of.ts';
import { seconds } from '../../codec/seconds.ts';

const limitAllowance = messageOf<LimitAllowance>()(LimitAllowanceSchema, {
  per: oneOf([...limitScopes, 'key', 'ticket']),
  window: oneOf(limitWindows),
  unit: oneOf(limitUnits),
  max: decimal,
  left: decimal,
  until: seconds,
  contract: hex,
});
export const allowance = messageOf<Allowance>()(AllowanceSchema, {
  limits: listOf(limitAllowance),
  budget: messageOf<BudgetStop>()(BudgetStopSchema, { why: oneOf(budgetStops), until: seconds }),
  ticketExpiresAt: seconds,
});
