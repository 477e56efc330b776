import { budgetWindows } from '../../../core/domain/budget.ts';
import { defaultPolicy, limitUnits, limitWindows, type PolicyLimit } from '../../../core/domain/policy.ts';
import {
  endNumbers,
  endOtherLimits,
  ownerOfKey,
  ownerOfPolicy,
  takeLimitNumber,
} from '../../../core/ledger/accounts/limit-numbers.ts';
import { policyText } from '../../../core/policies/policy-text.ts';
import { numberedAddress } from '../../support/core/ledger-lab.ts';
import { setPolicyLimits } from '../../support/core/set-limits.ts';
import { keyOwner } from './model.ts';
import type { LimitLife } from './operations.ts';
import { policyIdOf } from './random-requests.ts';
import { note, tenants, type World, weiBetween } from './world.ts';

const called = [
  { contract: numberedAddress(0xd1) },
  { contract: numberedAddress(0xd2), method: 'mint' },
  {},
  {},
] as const;

/** Changes what one owner sets: the limits of a policy or a key, or the budgets of an account. */
export async function changeSettings(world: World): Promise<void> {
  const { random } = world;
  const tenant = random.pick(tenants);
  const lot = random.below(100);
  if (lot < 35) return setDefaultPolicy(world, tenant.paymasterId);
  if (lot < 60) return changeNamedPolicy(world);
  if (lot < 80) return setKeyLimits(world, tenant.paymasterId, random.pick(tenant.keys));
  return changeBudgets(world, tenant.accountId);
}

/** Sets the limits of a default policy, or removes them and sets them again. */
async function setDefaultPolicy(world: World, paymasterId: string): Promise<void> {
  const before = (world.model.limits.get(paymasterId) ?? []).map(toPolicyLimit);
  const isAgain = before.length > 0 && world.random.chance(30);
  if (isAgain) {
    await writeDefaultPolicy(world, paymasterId, []);
    note(world, 'a limit was removed and set again');
  }
  await writeDefaultPolicy(world, paymasterId, isAgain ? before : randomLimits(world));
}

async function writeDefaultPolicy(world: World, paymasterId: string, limits: readonly PolicyLimit[]): Promise<void> {
  await setPolicyLimits(world.store, paymasterId, limits, { requireTicket: true });
  setInModel(world, paymasterId, limits);
}

/** A named policy of the first paymaster: made, changed, disabled, enabled or deleted. */
async function changeNamedPolicy(world: World): Promise<void> {
  const { random, store, model } = world;
  const [first] = tenants;
  if (first === undefined) return;
  const { paymasterId } = first;
  const policyId = policyIdOf(world.policies);
  const owner = ownerOfPolicy({ paymasterId, policyId });
  const stored = world.policies > 0 && model.limits.has(policyId);
  if (!stored) {
    world.policies += 1;
    const fresh = policyIdOf(world.policies);
    const limits = randomLimits(world);
    const policy = policyText({ ...defaultPolicy, requireTicket: true, limits });
    const row = {
      policy_id: fresh,
      paymaster_id: paymasterId,
      name: `policy ${world.policies}`,
      enabled: 1 as const,
      policy,
      created_at: 1,
      updated_at: 1,
    };
    await store.db
      .insertInto('named_policies')
      .values({ ...row, description: null, author: null, icon: null })
      .execute();
    setInModel(world, fresh, limits);
    model.enabled.add(fresh);
    return;
  }
  if (random.chance(15)) {
    await store.transaction(async (trx) => {
      await trx.deleteFrom('named_policies').where('policy_id', '=', policyId).execute();
      await endOtherLimits(trx, owner);
    });
    model.limits.delete(policyId);
    model.enabled.delete(policyId);
    return;
  }
  const limits = random.chance(60) ? randomLimits(world) : (model.limits.get(policyId) ?? []).map(toPolicyLimit);
  const enabled = random.chance(75);
  const policy = policyText({ ...defaultPolicy, requireTicket: true, limits });
  await store.transaction(async (trx) => {
    await trx
      .updateTable('named_policies')
      .set({ policy, enabled: enabled ? 1 : 0 })
      .where('policy_id', '=', policyId)
      .execute();
    await endOtherLimits(trx, owner, limits);
  });
  setInModel(world, policyId, limits);
  if (enabled) model.enabled.add(policyId);
  else model.enabled.delete(policyId);
}

function toPolicyLimit({ per, window, unit, contract, method, max }: LimitLife): PolicyLimit {
  if (per === 'key' || per === 'budget') throw new Error('A policy has no such limit.');
  return {
    per,
    window,
    unit,
    max,
    ...(contract === undefined ? {} : { contract }),
    ...(method === undefined ? {} : { method }),
  };
}

async function setKeyLimits(world: World, paymasterId: string, keyNumber: number): Promise<void> {
  if (keyNumber === 0) return;
  const { random, store } = world;
  const limits = someLimits(world, random.below(3)).map(({ window, unit, max }) => ({ window, unit, max }));
  const kept = limits.map((limit) => ({ per: 'key' as const, ...limit }));
  await store.transaction((trx) => endOtherLimits(trx, ownerOfKey(paymasterId, keyNumber), kept));
  world.keyLimits.set(keyOwner(paymasterId, keyNumber), limits);
  setInModel(world, keyOwner(paymasterId, keyNumber), kept);
}

/** A budget is made, changed or deleted. One that counts something else begins at zero. */
async function changeBudgets(world: World, accountId: string): Promise<void> {
  const { random, store, model } = world;
  const own = tenants.filter((tenant) => tenant.accountId === accountId).map(({ paymasterId }) => paymasterId);
  const name = random.pick(['one', 'two', 'of some']);
  const window = random.pick(budgetWindows);
  const paymasterIds = name === 'of some' ? [random.pick(own)] : undefined;
  const max = BigInt(random.between(2_000, 30_000));
  const budgets = model.budgets.get(accountId) ?? [];
  const before = budgets.find((budget) => budget.name === name);
  const others = budgets.filter((budget) => budget !== before);
  const columns = { name, span: window, max_usd_micros: Number(max), paymaster_ids: paymasterIds?.join(' ') ?? null };
  const budgetId = `${accountId} ${name}`;
  await store.transaction(async (trx) => {
    const stored = await trx
      .selectFrom('budgets')
      .select('limit_id')
      .where('budget_id', '=', budgetId)
      .executeTakeFirst();
    const goesOn = before !== undefined && isSameBudget(before, { window, paymasterIds });
    if (stored !== undefined && !goesOn) await endNumbers(trx, [stored.limit_id]);
    if (stored !== undefined && random.chance(30)) {
      if (goesOn) await endNumbers(trx, [stored.limit_id]);
      await trx.deleteFrom('budgets').where('budget_id', '=', budgetId).execute();
      model.budgets.set(accountId, others);
      return;
    }
    const limit_id = stored !== undefined && goesOn ? stored.limit_id : await takeLimitNumber(trx);
    if (stored === undefined) {
      const row = { budget_id: budgetId, account_id: accountId, limit_id, ...columns, created_at: 1, updated_at: 1 };
      await trx.insertInto('budgets').values(row).execute();
    } else
      await trx
        .updateTable('budgets')
        .set({ ...columns, limit_id })
        .where('budget_id', '=', budgetId)
        .execute();
    if (goesOn && before !== undefined) before.max = max;
    const life: LimitLife =
      goesOn && before !== undefined
        ? before
        : {
            per: 'budget',
            window,
            unit: 'usdMicros',
            called: undefined,
            name,
            max,
            ...(paymasterIds === undefined ? {} : { paymasterIds }),
          };
    model.budgets.set(
      accountId,
      [...others, life].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1)),
    );
  });
}

function isSameBudget(
  before: LimitLife,
  after: Pick<LimitLife, 'window'> & { readonly paymasterIds: readonly string[] | undefined },
): boolean {
  return before.window === after.window && before.paymasterIds?.join() === after.paymasterIds?.join();
}

/** Up to four limits, each about something else, and often narrow. */
function randomLimits(world: World): readonly PolicyLimit[] {
  return someLimits(world, world.random.below(5));
}

function someLimits({ random }: World, count: number): readonly PolicyLimit[] {
  const limits = new Map<string, PolicyLimit>();
  for (let left = count; left > 0; left -= 1) {
    const unit = random.pick(limitUnits);
    const per = random.pick(['sender', 'subject', 'total'] as const);
    // What is counted for one of several is reached more seldom.
    const parts = per === 'total' ? 3 : 1;
    const most = {
      operations: BigInt(random.between(1, 4 * parts)),
      usdMicros: BigInt(random.between(1_500, 7_000 * parts)),
    };
    const max = unit === 'wei' ? weiBetween(random, 1_200, 5_000 * parts) : most[unit];
    const limit = {
      per,
      window: random.pick(limitWindows),
      unit,
      max,
      ...(unit === 'usdMicros' ? {} : random.pick(called)),
    };
    limits.set([limit.per, limit.window, limit.unit, 'contract' in limit ? limit.contract : ''].join(' '), limit);
  }
  return [...limits.values()];
}

/** A limit that counts the same as before goes on, whatever its maximum; any other begins at zero. */
function setInModel(
  world: World,
  owner: string,
  limits: readonly (Omit<PolicyLimit, 'per'> & { readonly per: LimitLife['per'] })[],
): void {
  const { model } = world;
  const before = model.limits.get(owner) ?? [];
  const lives = limits.map(({ per, window, unit, max, contract, method }): LimitLife => {
    const name = contract === undefined ? undefined : method === undefined ? contract : `${contract}/${method}`;
    const same = before.find(
      (one) => one.per === per && one.window === window && one.unit === unit && one.called === name,
    );
    if (same === undefined) note(world, 'a limit was set');
    else same.max = max;
    return (
      same ?? {
        per,
        window,
        unit,
        max,
        called: name,
        ...(contract === undefined ? {} : { contract }),
        ...(method === undefined ? {} : { method }),
      }
    );
  });
  const gone = before.filter((one) => !lives.includes(one)).length;
  if (gone > 0) note(world, 'a limit was removed', gone);
  model.limits.set(owner, lives);
}
