import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { LimitKind } from '@tollfree/contract/rpc/limit-kinds';
import { getAddress } from 'viem';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { AskedCall } from '../call-rules/call-rules.ts';
import type { CalledLimits } from '../called-limits.ts';
import { amountDetails, amountText, countedText, inWindow, shortenMethod } from '../findings/finding-text.ts';
import { windowEnd } from '../limit-window.ts';
import type { CountedLimit, Ruling } from './ruling.ts';

/** A limit's count in its window before the request, and what the request would add, in the limit's unit. */
export type LimitCount = {
  readonly limit: CountedLimit;
  readonly windowStart: number;
  readonly used: bigint;
  /** Undefined for an amount in USD while the coin has no price. */
  readonly asked: bigint | undefined;
};

const whose = { sender: 'this sender', subject: 'this user', total: 'this paymaster' } as const;

/** The first half of a sentence. */
function sponsors({ per }: CountedLimit, amount: string): string {
  if (per === 'key') return `This apiKey allows ${amount}`;
  if (per === 'ticket') return `The ticket allows ${amount}`;
  return `The policy sponsors ${amount} for ${whose[per]}`;
}

function calledBy({ contract, method }: CountedLimit) {
  return [contract, method && shortenMethod(method)] as const;
}

function kindOf({ per }: CountedLimit): LimitKind {
  return per === 'key' ? 'KEY_LIMIT' : 'POLICY_LIMIT';
}

/** A count or cost limit: the use plus the request must stay within it. */
export function ruleOnLimit(count: LimitCount): Ruling {
  const { limit, windowStart, used, asked } = count;
  if (asked === undefined) return justSet(limit);
  const { per, window, unit, max, contract, method } = limit;
  const rule = limitRuleId(limit);
  const seen: Ruling = { rule, finding: ['limit', per, window, unit, max, used, asked, ...calledBy(limit)] };
  if (used + asked <= max) return seen;
  const end = windowEnd(window, windowStart);
  const details = { limit: rule, ...amountDetails(unit, { max, used, asked }), ...omitAbsent({ contract, method }) };
  const message = `${sponsors(limit, `${countedText(limit, max)} ${inWindow[window]}`)}; ${overrun(count, asked, used)}`;
  if (per === 'ticket') return { ...seen, refusal: usedUp(message, details) };
  return {
    ...seen,
    refusal: {
      reason: 'LIMIT_EXCEEDED',
      limitKind: kindOf(limit),
      message,
      ...(asked > max
        ? neverFits(details)
        : { details: { ...details, frees: freesOf(end) }, ...omitAbsent({ resetsAt: end }) }),
    },
  };
}

/** The second half of a sentence: what is used, and what the request needs. */
function overrun({ limit }: LimitCount, asked: bigint, used: bigint): string {
  const { unit, max, contract } = limit;
  const needed = amountText(unit, asked, contract);
  if (asked > max) return `this request alone needs ${needed}, so it never fits.`;
  // Singular for one operation or an amount of money, plural for several operations.
  const isMany = unit === 'operations' && used !== 1n;
  const spent = `${amountText(unit, used, contract)} ${isMany ? 'are' : 'is'} used or held`;
  const held =
    unit === 'operations'
      ? 'Held operations have not landed yet.'
      : 'What is held is the worst case of operations that have not landed.';
  return `${spent}, and this request needs ${needed} more. ${held}`;
}

function freesOf(end: number | undefined): string {
  if (end === undefined) return 'Raise the limit. Only holds of operations that do not land are given back to it.';
  return `Raise the limit, or try again after ${new Date(end * 1000).toISOString()}, when its next window begins.`;
}

/** Waiting does not help. */
function neverFits(details: Readonly<Record<string, string>>) {
  return { details: { ...details, fits: 'never', frees: 'Raise the limit, or send a smaller operation.' } };
}

function usedUp(message: string, details: Readonly<Record<string, string>>): Refusal {
  const frees = 'Get a new ticket. Only holds of operations that do not land are given back to this one.';
  return { reason: 'TICKET_USED_UP', message, details: { ...details, frees } };
}

/** The id of a limit's rulings; their texts name its contract and method. */
export function limitRuleId({
  per,
  window,
  unit,
  contract,
  method,
}: Pick<CountedLimit, 'per' | 'window' | 'unit' | 'contract' | 'method'>): string {
  const of = contract === undefined ? '' : method === undefined ? '-of-contract' : '-of-method';
  return `limit-${per}-${window}-${unit === 'usdMicros' ? 'usd' : unit}${of}`;
}

/** A limit in USD without a price to count with. */
export const unpricedLimit = 'limit-usd';

/** A limit that was set while the request was decided: neither its calls were counted for it, nor was a price read. */
function justSet(limit: CountedLimit): Ruling {
  const message = (which: string) => `The policy’s limit ${which} was just set. Try again.`;
  if (limit.contract === undefined) {
    const refusal = { reason: 'PRICE_UNAVAILABLE', message: message('in USD') } as const;
    return { rule: unpricedLimit, finding: ['limit-usd-set'], refusal };
  }
  const rule = limitRuleId(limit);
  return {
    rule,
    finding: ['limit-of-contract-set'],
    refusal: {
      reason: 'LIMIT_EXCEEDED',
      limitKind: kindOf(limit),
      message: message('of a contract'),
      details: { limit: rule, max: limit.max.toString(), frees: 'Try again.' },
    },
  };
}

/**
 * Whether a limit refused only because it was set while the request was decided. How much of it is used is not known, so it may
 * have room.
 */
export function wasJustSet({ limitKind, details }: Refusal): boolean {
  return (limitKind === 'POLICY_LIMIT' || limitKind === 'KEY_LIMIT') && details?.used === undefined;
}

/**
 * If a limit no longer matches its contract, the calls it counts are unknown. Then no call of the contract, and no call with
 * its address in the data, is sponsored. No ruling if all limits match.
 */
export function ruleOnCalledLimits(limits: CalledLimits, calls: readonly AskedCall[]): readonly Ruling[] {
  for (const { contract, broken } of limits.values()) {
    if (broken === undefined) continue;
    const call = calls.find(({ target, content }) => {
      return target.toLowerCase() === contract || content?.data.includes(contract.slice(2)) === true;
    });
    if (call === undefined) continue;
    const target = getAddress(contract);
    return [
      {
        rule: 'limited-calls',
        finding: ['limited-calls', getAddress(call.target)],
        refusal: {
          reason: 'LIMIT_EXCEEDED',
          limitKind: 'POLICY_LIMIT',
          message: `A limit of this paymaster’s policy about ${target} cannot be applied, so none of its calls is sponsored: ${broken}.`,
          details: { ...omitAbsent({ target, selector: call.selector }), frees: 'Fix the limit or the contract.' },
        },
      },
    ];
  }
  return [];
}
