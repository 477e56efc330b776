import { omitAbsent } from '@tollfree/contract/omit-absent';
import { getAddress, type Hex, isAddress, isHex } from 'viem';
import type { Fix } from '../domain/decision.ts';
import type { Refusal } from '../domain/result/refusal.ts';

type Details = Readonly<Record<string, string>>;

/** What the account holder can do about a refusal, as data; undefined if they cannot fix it. */
export function fixOf(refusal: Refusal): Fix | undefined {
  const { reason, details = {} } = refusal;
  switch (reason) {
    case 'NO_POLICIES':
    case 'CONTRACT_NOT_REGISTERED':
      return { action: 'register-contract', ...calledIn(details) };
    case 'METHOD_NOT_WHITELISTED':
      if (details.policy !== undefined) return changePolicy(details.policy);
      // A plain coin transfer has no method.
      return details.selector === undefined
        ? { ...changePolicy('sponsorAllCalls'), ...calledIn(details) }
        : { action: 'whitelist-method', ...calledIn(details) };
    case 'ARGUMENT_NOT_ALLOWED':
      return { ...changePolicy('callRules'), ...calledIn(details) };
    case 'USER_PAYS_SHARE':
      return changePolicy('userPaysPercent');
    case 'RELAY_REQUIRED':
    case 'RELAY_NOT_ALLOWED':
      return changePolicy('relay');
    case 'ACCOUNT_NOT_KNOWN':
      return changePolicy('accounts');
    case 'SENDER_BLOCKED':
    case 'TOKEN_NOT_SUPPORTED': {
      const field = details.list ?? details.policy;
      return field === undefined ? undefined : changePolicy(field);
    }
    case 'LIMIT_EXCEEDED':
      return fixLimit(refusal.limitKind, details);
    case 'WEBHOOK_REFUSED':
    case 'WEBHOOK_UNAVAILABLE':
      return { action: 'look-at-webhook', ...omitAbsent({ webhookId: details.webhookId }) };
    case 'INSUFFICIENT_FUNDS':
      return { action: 'deposit', ...omitAbsent({ neededWei: toAmount(details.needed) }) };
    default:
      return undefined;
  }
}

function calledIn({ target, selector }: Details): Pick<Fix, 'target' | 'selector'> {
  return {
    ...(target !== undefined && isAddress(target, { strict: false }) ? { target: getAddress(target) } : {}),
    ...(selector !== undefined && isHex(selector) ? { selector: selector as Hex } : {}),
  };
}

/** `path` of the field in the policy: the fields of the policy itself are what people change. */
function changePolicy(path: string): Fix {
  return { action: 'change-policy', policyField: path.split('.', 1)[0] ?? path };
}

function fixLimit(kind: Refusal['limitKind'], { limit }: Details): Fix | undefined {
  switch (kind) {
    case 'POLICY_CAP':
    case 'PERIOD':
      return limit === undefined ? undefined : changePolicy(limit);
    case 'SCHEDULE':
      return changePolicy('pauses');
    case 'POLICY_LIMIT':
      return changePolicy('limits');
    default:
      return undefined;
  }
}

function toAmount(digits: string | undefined): bigint | undefined {
  return digits !== undefined && /^\d{1,78}$/.test(digits) ? BigInt(digits) : undefined;
}
