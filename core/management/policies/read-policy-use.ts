import { usdText } from '@tollfree/contract/fields/forms';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely } from 'kysely';
import { getAddress } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Core } from '../../domain/core.ts';
import type { PolicyLimit } from '../../domain/policy.ts';
import type { LimitUseNow } from '../../domain/policy-use.ts';
import { accept } from '../../domain/result/result.ts';
import { inUnit, limitPrefix, limitPrefixEnd, windowAccount } from '../../ledger/accounts/limit-accounts.ts';
import { numbersOf, ownerOfPolicy, toLimitNumbers } from '../../ledger/accounts/limit-numbers.ts';
import { windowEnd, windowStart } from '../../policies/limit-window.ts';
import { readPolicyAt } from '../../policies/policy-text.ts';
import type { Database } from '../../store/database.ts';
import { ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiText } from '../../store/wei.ts';
import { policyNotFound } from './check-proposed.ts';

/** Most accounts of a limit that are searched for the one with the highest use: one for each sender and window. */
const mostAccounts = 10_000;

/** The operation of `Core` that says how full the limits of a policy are. */
export function createReadPolicyUse(store: Store, clock: Clock): Pick<Core, 'readPolicyUse'> {
  return {
    readPolicyUse: async ({ policyId = '', ...owned }) => {
      const { db } = store;
      if (!(await ownsPaymaster(db, owned))) return paymasterNotFound;
      const key = { paymasterId: owned.paymasterId, policyId };
      const policy = await readPolicyAt(db, key);
      if (policy === undefined) return policyNotFound;
      const owner = ownerOfPolicy(key);
      const [rows] = await runTogether(db, numbersOf([owner]));
      const numbers = toLimitNumbers(rows);
      const now = unixSeconds(clock);
      const uses: LimitUseNow[] = [];
      for (const [limit, terms] of policy.limits.entries()) {
        uses.push({ limit, ...(await readUse(db, terms, numbers.of(owner, terms), now)) });
      }
      return accept(uses);
    },
  };
}

/** How much of a limit is used in its window: by all together, or by who has used most. */
async function readUse(
  db: Kysely<Database>,
  limit: PolicyLimit,
  limitId: number,
  now: number,
): Promise<Omit<LimitUseNow, 'limit'>> {
  const start = windowStart(limit.window, now);
  const until = omitAbsent({ until: windowEnd(limit.window, start) });
  const rows = await db
    .selectFrom('ledger_accounts')
    .select(['name', 'count', 'amount'])
    .where(
      'name',
      '>=',
      limit.per === 'total' ? windowAccount(limitId, '', limit.window, now).name : limitPrefix(limitId),
    )
    .where('name', '<', limitPrefixEnd(limitId))
    .orderBy('name')
    .limit(mostAccounts + 1)
    .execute();
  if (rows.length > mostAccounts) return until;
  const [most] = rows
    .filter(({ name }) => name.endsWith(`/${start}`))
    .map(({ name, count, amount }) => ({ name, used: inUnit(limit, { count, amount: fromWeiText(amount) }) }))
    .sort((one, other) => (one.used > other.used ? -1 : 1));
  const sender = /\/(0x[0-9a-fA-F]{40})\//.exec(most?.name ?? '')?.[1];
  return {
    used: amountText(limit, most?.used ?? 0n),
    ...until,
    ...(sender === undefined ? {} : { sender: getAddress(sender) }),
  };
}

function amountText({ unit }: PolicyLimit, amount: bigint): string {
  return unit === 'usdMicros' ? usdText(amount) : String(amount);
}
