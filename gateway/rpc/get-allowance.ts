import { usdText } from '@tollfree/contract/fields/forms';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import {
  type TollfreeGetAllowanceParams,
  type TollfreeGetAllowanceResult,
  tollfreeGetAllowance,
} from '@tollfree/contract/rpc/tollfree-get-allowance';
import type { Allowance, BudgetStop, LimitAllowance } from '../../core/domain/tickets.ts';
import type { RpcMethod } from './rpc-response.ts';
import { named } from './sponsorship-request.ts';

export const getAllowanceMethod: RpcMethod<TollfreeGetAllowanceParams> = {
  method: tollfreeGetAllowance.method,
  params: tollfreeGetAllowance.params,
  paramCount: 1,
  async handle(core, [{ ticket, sender, policyId }], { apiKey, chainId, arrival, bearer }) {
    const owner = omitAbsent({
      ticket: named(ticket) ?? named(bearer),
      sender: named(sender),
      policyId: named(policyId),
    });
    const result = await core.getAllowance({ apiKey, chainId, arrival, ...owner });
    return result.ok ? { ok: true, value: { jsonText: JSON.stringify(allowanceJson(result.value)) } } : result;
  },
};

function allowanceJson({ limits, budget, ...rest }: Allowance): TollfreeGetAllowanceResult {
  return { ...rest, ...omitAbsent({ budget: budget && budgetJson(budget) }), limits: limits.map(limitJson) };
}

const stops = { 'used up': 'USED_UP', 'not counted': 'NOT_COUNTED' } as const;

function budgetJson({ why, ...rest }: BudgetStop): NonNullable<TollfreeGetAllowanceResult['budget']> {
  return { state: stops[why], ...rest };
}

const pers = { sender: 'SENDER', subject: 'SUBJECT', total: 'TOTAL', key: 'KEY', ticket: 'TICKET' } as const;
const windows = { hour: 'HOUR', day: 'DAY', week: 'WEEK', month: 'MONTH', ever: 'EVER' } as const;
const units = { operations: 'OPERATIONS', wei: 'WEI', usdMicros: 'USD' } as const;

function limitJson({
  per,
  window,
  unit,
  max,
  left,
  ...rest
}: LimitAllowance): TollfreeGetAllowanceResult['limits'][number] {
  const amount = (value: bigint) => (unit === 'usdMicros' ? usdText(value) : value.toString());
  return { per: pers[per], window: windows[window], unit: units[unit], max: amount(max), left: amount(left), ...rest };
}
