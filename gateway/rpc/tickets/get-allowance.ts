import { omitAbsent } from '@tollfree/contract/omit-absent';
import {
  type TollfreeGetAllowanceParams,
  type TollfreeGetAllowanceResult,
  tollfreeGetAllowance,
} from '@tollfree/contract/rpc/tollfree-get-allowance';
import type { Allowance, LimitAllowance } from '../../../core/domain/tickets/allowance.ts';
import { usdText } from '../../management/money/usd-text.ts';
import type { RpcMethod } from '../rpc-method.ts';
import { named } from '../sponsorship-request.ts';

export const getAllowanceMethod: RpcMethod<TollfreeGetAllowanceParams> = {
  method: tollfreeGetAllowance.method,
  params: tollfreeGetAllowance.params,
  paramCount: 1,
  async handle(core, [{ ticket, sender }], { apiKey, chainId, arrival, bearer }) {
    const owner = omitAbsent({ ticket: named(ticket) ?? named(bearer), sender: named(sender) });
    const result = await core.getAllowance({ apiKey, chainId, arrival, ...owner });
    return result.ok ? { ok: true, value: { jsonText: JSON.stringify(allowanceJson(result.value)) } } : result;
  },
};

function allowanceJson({ limits, ...rest }: Allowance): TollfreeGetAllowanceResult {
  const operations = limits
    .filter(({ unit, contract }) => unit === 'operations' && contract === undefined)
    .map(({ left }) => Number(left));
  return {
    ...(operations.length === 0 ? {} : { operationsLeft: Math.min(...operations) }),
    ...rest,
    limits: limits.map(limitJson),
  };
}

const pers = { sender: 'SENDER', subject: 'SUBJECT', total: 'TOTAL', ticket: 'TICKET' } as const;
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
