import { usdText } from '@tollfree/contract/fields/forms';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Kysely, sql } from 'kysely';
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
  const from = limit.per === 'total' ? windowAccount(limitId, '', limit.window, now).name : limitPrefix(limitId);
  const most = await findMost(db, limit, { from, before: limitPrefixEnd(limitId), start });
  if (most !== undefined && most.searched > mostAccounts) return until;
  const used = most?.is_current === 1 ? most : undefined;
  const sender = /\/(0x[0-9a-fA-F]{40})\//.exec(used?.name ?? '')?.[1];
  return {
    used: amountText(limit, used === undefined ? 0n : inUnit(limit, { ...used, amount: fromWeiText(used.amount) })),
    ...until,
    ...(sender === undefined ? {} : { sender: getAddress(sender) }),
  };
}

/**
 * The account with the highest use in the window that begins at `start`, of those whose names are from `from` on and before `before`;
 * one of another window if there is none. `searched` is the number of accounts, at most one more than {@link mostAccounts}. The database
 * picks it: thousands of rows that arrive at once would stop everything else meanwhile.
 */
async function findMost(
  db: Kysely<Database>,
  { unit }: PolicyLimit,
  { from, before, start }: { readonly from: string; readonly before: string; readonly start: number },
) {
  const searched = db
    .selectFrom('ledger_accounts')
    .select(['name', 'count', 'amount'])
    .where('name', '>=', from)
    .where('name', '<', before)
    .orderBy('name')
    .limit(mostAccounts + 1);
  const isCurrent = sql<0 | 1>`CASE WHEN name LIKE ${`%/${start}`} THEN 1 ELSE 0 END`;
  // Amounts are digits without zeros in front: the longer one is more.
  const use = unit === 'operations' ? sql`count DESC` : sql`length(amount) DESC, amount DESC`;
  return db
    .selectFrom(searched.as('searched'))
    .select(['name', 'count', 'amount', isCurrent.as('is_current'), sql<number>`count(*) OVER ()`.as('searched')])
    .orderBy(sql`is_current DESC, ${use}, name`)
    .limit(1)
    .executeTakeFirst();
}

function amountText({ unit }: PolicyLimit, amount: bigint): string {
  return unit === 'usdMicros' ? usdText(amount) : String(amount);
}
