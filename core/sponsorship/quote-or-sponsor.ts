import type { Refusal, RefusalReason } from '../domain/result/refusal.ts';
import { accept, type Result } from '../domain/result/result.ts';
import { bindsPaid } from '../policies/rules/rule-on-token.ts';
import { readMode, readSmartAccountInfo } from './identify/read-context.ts';
import { type Begun, begin, quoteInTokens, sponsor } from './pipeline.ts';
import type { Asked } from './run/asked.ts';
import type { UndecidedSignature } from './sign/sign-paymaster-data.ts';
import type { UndecidedQuotes } from './tokens/quote-tokens.ts';
import { takenTokens } from './tokens/taken-tokens.ts';
import { withTokenOffers } from './tokens/with-token-offers.ts';

/** The sponsor's policy refusals after which a request without a mode gets token quotes. */
const policyReasons: ReadonlySet<RefusalReason> = new Set([
  'NO_POLICIES',
  'CONTRACT_NOT_REGISTERED',
  'METHOD_NOT_WHITELISTED',
  'CALL_NOT_UNDERSTOOD',
  'ACCOUNT_NOT_KNOWN',
  'SENDER_BLOCKED',
  'LIMIT_EXCEEDED',
  'WEBHOOK_REFUSED',
  'WEBHOOK_UNAVAILABLE',
]);

/** `pm_getFeeQuoteOrData` (interface 4.5). Without a mode: sponsored if the policies allow it, else token quotes. */
export async function quoteOrSponsor(asked: Asked): Promise<Result<UndecidedSignature | UndecidedQuotes>> {
  const begun = await begin.run(asked);
  if (!begun.ok) return begun;
  const { context } = asked;
  const mode = readMode(context.mode);
  if (!mode.ok) return mode;
  if (mode.value === 'ERC20') return quoteInTokens(begun.value);
  if (mode.value === undefined && wantsTokens(begun.value)) return quoteInTokens(begun.value);
  const account = readSmartAccountInfo(context);
  if (!account.ok) return account;
  const sponsored = withTokenOffers(begun.value, await sponsor.run({ ...begun.value, account: account.value }));
  if (sponsored.ok) return accept(sponsored.value.answer);
  if (mode.value === 'SPONSORED' || !mayPay(begun.value, sponsored.refusal)) return sponsored;
  if (takenTokens(begun.value).tokens.length === 0) return sponsored;
  return quoteInTokens({ ...begun.value, context: { ...context, tokenInfo: context.tokenInfo ?? {} } });
}

/** If the policy lets users pay for what its limits refuse, they cannot pay for its other refusals. */
function mayPay({ profile }: Begun, { reason, tokenOffers }: Refusal): boolean {
  return bindsPaid(profile.policy) ? tokenOffers !== undefined : policyReasons.has(reason);
}

/** A request that only mentions tokens, or to a contract that only supports them. */
function wantsTokens({ context, contract }: Begun): boolean {
  const tokensAsked = !context.sponsorshipInfoGiven && context.tokenInfo !== undefined;
  return tokensAsked || !contract.family.modes.includes('SPONSORED');
}
