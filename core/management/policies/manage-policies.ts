import { unixSeconds } from '../../base/time/clock.ts';
import { inOwnTurn } from '../../base/time/in-own-turn.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { Core } from '../../domain/core.ts';
import type { Policy } from '../../domain/policy.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { policyText, readStoredPolicy } from '../../policies/policy-text.ts';
import { ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import { checkProposed, refuseOutdated } from './check-proposed.ts';
import type { PolicyParts } from './policy-parts.ts';
import { previewChanges } from './preview-changes.ts';
import { putPolicy } from './put-policy.ts';
import { createTurns } from './turns.ts';

/** The operations of `Core` on the default policy, and the preview. A policy that was set is in force from the next request on. */
export function managePolicies(parts: PolicyParts): Pick<Core, 'readPolicy' | 'setPolicy' | 'previewPolicy'> {
  const inTurn = createTurns();
  return {
    readPolicy: (owned) => readPolicy(parts, owned),
    // Counting takes its time: of two policies the one that was set later stays.
    setPolicy: (input) => inTurn(input.paymasterId, () => setPolicy(parts, input)),
    previewPolicy: (input) => previewChanges(parts, input),
  };
}

async function readPolicy({ store }: PolicyParts, owned: Owned): Promise<Result<Policy>> {
  if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
  return accept(await readStoredPolicy(store.db, owned.paymasterId));
}

async function setPolicy(parts: PolicyParts, input: Owned & { policy: Policy }): Promise<Result<Policy>> {
  const checked = await checkProposed(parts, input, input.policy);
  if (!checked.ok) return checked;
  const { policy } = checked.value;
  const text = await inOwnTurn(input.accountId, () => policyText(policy));
  return putPolicy(parts, input, { policyId: '', policy }, async (trx) => {
    const outdated = await refuseOutdated(trx, input, checked.value);
    if (outdated !== undefined) return outdated;
    const row = { policy: text, updated_at: unixSeconds(parts.clock) };
    await trx
      .insertInto('policies')
      .values({ paymaster_id: input.paymasterId, ...row })
      .onConflict((conflict) => conflict.column('paymaster_id').doUpdateSet(row))
      .execute();
    return accept(policy);
  });
}
