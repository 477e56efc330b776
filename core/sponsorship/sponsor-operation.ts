import { noteResult } from '../decisions/decision-draft.ts';
import { accept, type Result } from '../domain/result/result.ts';
import type { SignedPaymasterData, SponsorshipContext } from '../domain/sponsorship.ts';
import { askWebhooks } from './ask-webhooks.ts';
import { checkSponsorship } from './check-sponsorship.ts';
import { chooseGas } from './choose-gas.ts';
import type { AccountKind } from './decode-inner-calls.ts';
import { holdWorstCase } from './hold-worst-case.ts';
import type { Identified } from './identify.ts';
import { readContractState } from './read-contract-state.ts';
import type { ReadOperation } from './read-user-operation.ts';
import { requestKey } from './request-key.ts';
import { signPaymasterData } from './sign-paymaster-data.ts';
import { sponsorGrant } from './sponsor-grant.ts';
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
