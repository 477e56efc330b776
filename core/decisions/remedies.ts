import { type RpcRefusal, rpcRefusals } from '@tollfree/contract/rpc/refusals';
import type { Refusal } from '../domain/result/refusal.ts';

const refusals: Readonly<Record<string, RpcRefusal>> = rpcRefusals;

/** What would change a refusal, in a sentence for the person who can. */
export function remedyOf({ reason, details = {}, field }: Refusal): string {
  const { remedyFor, remedy = 'Change what the message names.' } = refusals[reason] ?? {};
  return remedyFor?.(details, field) ?? remedy.replaceAll('`', '');
}
