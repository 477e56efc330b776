import { usdText } from '@tollfree/contract/fields/forms';
import type { LimitWindow, PolicyLimit } from '../../domain/policy.ts';

/** The texts of a finding: what a rule checked and, if it counts something, the allowed and used amounts. */
export type Texts = string | readonly [checked: string, limit?: string | undefined, used?: string | undefined];

/** Texts of findings by name, made of their values. */
export type FindingTable = Readonly<Record<string, string | ((...values: never[]) => Texts)>>;

export const inWindow: Readonly<Record<LimitWindow, string>> = {
  hour: 'in an hour',
  day: 'in a day',
  week: 'in a week',
  month: 'in a month',
  ever: 'ever',
};

/** An amount in a limit's unit, for people; for a limit on a contract, operations are calls. */
export function amountText(unit: PolicyLimit['unit'], amount: bigint, contract?: string): string {
  switch (unit) {
    case 'operations':
      if (contract !== undefined) return `${amount} ${amount === 1n ? 'call' : 'calls'}`;
      return `${amount} ${amount === 1n ? 'operation' : 'operations'}`;
    case 'wei':
      return `${amount} wei`;
    case 'usdMicros':
      return `${amount / 1_000_000n}.${(amount % 1_000_000n).toString().padStart(6, '0')} USD`;
  }
}

const unitNames = { operations: 'OPERATIONS', wei: 'WEI', usdMicros: 'USD' } as const;

/** Amounts with their unit for the details of a refusal, as a policy writes them: USD as `0.50`. */
export function amountDetails(
  unit: PolicyLimit['unit'],
  amounts: Readonly<Record<string, bigint>>,
): Readonly<Record<string, string>> {
  const write = (amount: bigint) => (unit === 'usdMicros' ? usdText(amount) : amount.toString());
  const texts = Object.entries(amounts).map(([name, amount]) => [name, write(amount)] as const);
  return { unit: unitNames[unit], ...Object.fromEntries(texts) };
}

/** What a limit counts: everything, or the calls of a contract or a method. */
type Counts = Pick<PolicyLimit, 'unit'> & {
  readonly contract?: string | undefined;
  readonly method?: string | undefined;
};

/** An amount in the limit's unit, for people; a limit on a contract or method counts calls. */
export function countedText({ unit, contract, method }: Counts, amount: bigint): string {
  if (contract === undefined) return amountText(unit, amount);
  const called = `${method === undefined ? '' : `${shortenMethod(method)} of `}${contract}`;
  if (unit === 'operations') return `${amountText(unit, amount, contract)} of ${called}`;
  return `${amountText(unit, amount)} for operations that call ${called}`;
}

/** Most characters of a method that a text repeats. */
const maxMethodShown = 128;

/** A method as texts and stored findings repeat it. */
export function shortenMethod(method: string): string {
  return method.length > maxMethodShown ? `${method.slice(0, maxMethodShown - 1)}…` : method;
}
