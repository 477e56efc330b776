import type { UsageItem } from '@tollfree/contract/usage';
import { locale } from './moment-text.ts';

/** A cost in USD: what the sponsor bears, and what users paid for in tokens. */
export type SplitCost = { readonly own: number; readonly users: number };

/** The parts of a cost. Users pay a part of its wei; the price of the parts is that of the whole. */
export function splitCost({
  charge,
  usersPaid,
  chargeUsd,
}: Pick<UsageItem, 'charge' | 'usersPaid' | 'chargeUsd'>): SplitCost {
  const usd = Number(chargeUsd);
  const users = charge === '0' ? 0 : (usd * Number(usersPaid)) / Number(charge);
  return { own: usd - users, users };
}

/** A part of a whole in percent: `14%`, `< 1%`; a dash if there is no whole. */
export function percentText(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (part / whole) * 100;
  return percent > 0 && percent < 1 ? '< 1%' : `${Math.round(percent)}%`;
}

/** How a number changed since the period before, which was so much: `+12% · before $113.20`. */
export function changeText(now: number, before: number, format: (value: number) => string): string {
  if (before === 0) return now === 0 ? 'as before' : 'before: none';
  const percent = Math.round(((now - before) / before) * 100);
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±';
  return `${sign}${Math.abs(percent).toLocaleString(locale)}% · before ${format(before)}`;
}
