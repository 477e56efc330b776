import { noteResult } from '../decisions/decision-draft.ts';
import { accept, type Result } from '../domain/result/result.ts';
import type { SignedPaymasterData, SponsorshipContext } from '../domain/sponsorship.ts';
import { holdWorstCase } from './funds/hold-worst-case.ts';
import { signPaymasterData } from './funds/sign-paymaster-data.ts';
import { chooseGas } from './gas/choose-gas.ts';
import { readContractState } from './gas/read-contract-state.ts';
import { requestKey } from './grant/request-key.ts';
import { sponsorGrant } from './grant/sponsor-grant.ts';
import { askWebhooks } from './permission/ask-webhooks.ts';
import { checkSponsorship } from './permission/check-sponsorship.ts';
import type { AccountKind } from './request/decode-inner-calls.ts';
import type { Identified } from './request/identify.ts';
import type { ReadOperation } from './request/read-user-operation.ts';
import type { SponsorshipRun } from './sponsorship-run.ts';

/**
 * Mode `SPONSORED`: the application pays. Every step in order; the first refusal is the answer.
 *
 * @param account What the caller says the sender is; undefined to find it out from the calls.
 */
export async function sponsorOperation(
  run: SponsorshipRun,
  identified: Identified,
  read: ReadOperation,
  context: SponsorshipContext,
  account: AccountKind | undefined,
): Promise<Result<Omit<SignedPaymasterData, 'decisionId'>>> {
  const permitted = checkSponsorship(run, identified, read, context, account);
  if (!permitted.ok) return permitted;
  const agreed = await askWebhooks(run, identified.profile, context.webhookDataJson);
  if (!agreed.ok) return agreed;

  const grant = sponsorGrant(identified, permitted.value, run.clock);
  const chosen = await chooseGas(run, identified, read, { grant, context });
  if (!chosen.ok) return chosen;
  const operation = chosen.value;
  const state = await readContractState(identified, operation);
  if (!state.ok) return noteResult(run.draft, { rule: 'contract-state', checked: 'the contract’s own state' }, state);
  const key = requestKey(identified, read, { grant, context });
  const held = await holdWorstCase(run, identified, { operation, grant }, key);
  if (!held.ok) return held;
  return accept(await signPaymasterData(run, identified, held.value, state.value));
}
