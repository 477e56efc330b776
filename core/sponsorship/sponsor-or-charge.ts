import { accept, type Result, refuse } from '../domain/result/result.ts';
import { readMode, readSmartAccountInfo } from './identify/read-context.ts';
import { begin, payInTokens, sponsor } from './pipeline.ts';
import type { Asked } from './run/asked.ts';
import type { UndecidedSignature } from './sign/sign-paymaster-data.ts';
import { payShareOrAll } from './tokens/pay-share-or-all.ts';
import { withTokenOffers } from './tokens/with-token-offers.ts';

/** `pm_sponsorUserOperation` in the interface's form: signs in the mode that the request names. */
export async function sponsorOrCharge(asked: Asked): Promise<Result<UndecidedSignature>> {
  const begun = await begin.run(asked);
  if (!begun.ok) return begun;
  const mode = readMode(asked.context.mode);
  if (!mode.ok) return mode;
  if (mode.value === undefined) {
    return refuse({ reason: 'INVALID_PARAMS', message: 'mode must be SPONSORED or ERC20', field: 'mode' });
  }
  if (mode.value === 'ERC20') {
    const paid = await payShareOrAll(begun.value, payInTokens.run);
    return paid.ok ? accept(paid.value.answer) : paid;
  }
  const account = readSmartAccountInfo(asked.context);
  if (!account.ok) return account;
  const sponsored = withTokenOffers(begun.value, await sponsor.run({ ...begun.value, account: account.value }));
  return sponsored.ok ? accept(sponsored.value.answer) : sponsored;
}
