import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address } from 'viem';
import type { DecidedAccount } from '../../domain/decision.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Ruling } from './ruling.ts';

const rule = 'policy-sender' as const;

/** Who is sponsored: no sender on the blocked list, and with an allowed list only senders on it. */
export function ruleOnSender({ allowedSenders, blockedSenders }: Policy, sender: Address): Ruling {
  if (isListed(blockedSenders, sender)) {
    return {
      rule,
      finding: [rule, sender, 'blockedSenders'],
      refusal: {
        reason: 'SENDER_BLOCKED',
        message: `The policy of this paymaster blocks the sender ${sender}.`,
        details: { sender, list: 'blockedSenders' },
      },
    };
  }
  if (allowedSenders === undefined) return { rule, finding: [rule, sender] };
  const limited: Ruling = { rule, finding: [rule, sender, 'allowedSenders'] };
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

/**
 * `callData` is only meaningful with known account code, so the code must be known unless the policy accepts any account.
 */
export function ruleOnAccount(policy: Pick<Policy, 'accounts'>, account: DecidedAccount | undefined): Ruling {
  const text = account?.text ?? 'The code of the account could not be read.';
  const seen: Ruling = { rule: 'policy-accounts', finding: ['policy-accounts', policy.accounts, text] };
  if (policy.accounts === 'ANY' || account?.known === true) return seen;
  const { codeHash, setting, entry } = account ?? {};
  const whole = entry === undefined ? '' : `, with all missing code: "accounts": ${entry}`;
  const way =
    setting === undefined ? '' : `The operator can add it to ${setting} of the chain's configuration${whole}. `;
  return {
    ...seen,
    refusal: {
      reason: 'ACCOUNT_NOT_KNOWN',
      message: `${text} ${way}The owner can set accounts of the policy to ANY.`,
      details: omitAbsent({ codeHash, setting, entry }),
    },
  };
}
