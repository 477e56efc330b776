import type { Address } from 'viem';
import type { Policy } from '../../domain/policy.ts';
import type { Ruling } from './ruling.ts';

const rule = 'policy-sender' as const;

/** Who is sponsored: no one on the blocked list, and where there is an allowed list only those on it. */
export function ruleOnSender({ allowedSenders, blockedSenders }: Policy, sender: Address): Ruling {
  const seen = { rule, checked: `the sender ${sender}` };
  if (isListed(blockedSenders, sender)) {
    return {
      ...seen,
      limit: 'not one of blockedSenders',
      refusal: {
        reason: 'SENDER_BLOCKED',
        message: `The policy of this paymaster blocks the sender ${sender}.`,
        details: { sender, list: 'blockedSenders' },
      },
    };
  }
  if (allowedSenders === undefined) return seen;
  const limited = { ...seen, limit: 'one of allowedSenders' };
  if (isListed(allowedSenders, sender)) return limited;
  return {
    ...limited,
    refusal: {
      reason: 'SENDER_BLOCKED',
      message: `The policy of this paymaster sponsors only certain senders, and ${sender} is not one of them.`,
      details: { sender, list: 'allowedSenders' },
    },
  };
}

function isListed(senders: readonly Address[], sender: Address): boolean {
  const wanted = sender.toLowerCase();
  return senders.some((listed) => listed.toLowerCase() === wanted);
}
