import type { Insertable } from 'kysely';
import { describe, expect, test } from 'vitest';
import { encodeDecisionRecord } from '../../core/decisions/decision-record.ts';
import { readPastDecisions } from '../../core/decisions/read-past-decisions.ts';
import type { DecisionFacts } from '../../core/domain/decision.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import type { PastDecision } from '../../core/policies/preview-policy.ts';
import type { Database } from '../../core/store/database.ts';
import type { Store } from '../../core/store/store.ts';
import { accepted, newPaymaster, refusalOf, startManagement, startTime } from '../support/core/start-management.ts';

const sender = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const facts: DecisionFacts = {
  calls: [{ target: sender, selector: '0xa9059cbb' }],
  deploysOnly: false,
  maxFeePerGas: 10n ** 20n,
  worstCase: 10n ** 21n,
  usdMicrosPerCoin: 2_000_000_000n,
};
/** The second call was too large to be kept. */
const contents = [{ value: 10n ** 20n, data: '0xa9059cbb' }, null] as const;
const signedRecord = encodeDecisionRecord({
  facts,
  trace: [{ rule: 'policy-calls', finding: ['policy-calls', 1, 1] }],
});
const refusedBy = (rule: string) =>
  encodeDecisionRecord({
    message: `${rule} says no`,
    facts,
    contents,
    trace: [{ rule, finding: ['policy-calls', 1, 1], remedy: 'Change it.' }],
  });

async function start() {
  const { management, store } = await startManagement();
  const { owned } = await newPaymaster(management);
  let nonce = 0;
  const add = async (changes: Partial<Insertable<Database['decisions']>> = {}) => {
    nonce += 1;
    const row = {
      decision_id: `decision-${nonce}`,
      paymaster_id: owned.paymasterId,
      chain_id: 1_337,
      method: 'getPaymasterData',
      outcome: 'signed' as const,
      mode: 'SPONSORED' as const,
      sender,
      nonce: String(nonce),
      ...signedRecord,
      created_at: startTime + nonce,
    };
    await store.db
      .insertInto('decisions')
      .values({ ...row, ...changes })
      .execute();
    return row.decision_id;
  };
  const read = async (options: Wanted = {}) => {
    const decisions: PastDecision[] = [];
    const pages = readPastDecisions(store.db, { ...owned, policyId: '' }, { last: 100, ...options });
    for await (const page of pages) decisions.push(...page);
    return decisions;
  };
  const ids = async (options?: Wanted) => (await read(options)).map(({ decisionId }) => decisionId);
  return { management, store, owned, add, read, ids };
}

type Wanted = { readonly last?: number; readonly since?: number; readonly within?: number };

/** A hold in this state. */
async function addHold(store: Store, state: 'live' | 'settled' | 'released'): Promise<number> {
  const wei = '1';
  const tank = {
    chain_id: 1_337,
    contract: '0x',
    wallet: state,
    funded: wei,
    settled: wei.replace('1', '0'),
  };
  const { tank_id } = await store.db.insertInto('tanks').values(tank).returning('tank_id').executeTakeFirstOrThrow();
  const hold = {
    hold_id: tank_id,
    tank_id,
    operation_key: 'a:1',
    sender,
    nonce: '1',
    amount: wei,
    valid_until: startTime,
    state,
    paymaster_id: 'p',
    limit_wei: wei,
    created_at: startTime,
    charge: state === 'settled' ? '7' : null,
  };
  await store.db.insertInto('holds').values(hold).execute();
  return hold.hold_id;
}

describe('the decisions that a preview looks at', () => {
  test('are those that signed, and those that a rule of the policy refused, oldest first', async () => {
    const { add, ids } = await start();
    const refused = { outcome: 'refused', reason: 'LIMIT_EXCEEDED' } as const;
    const wanted = [
      await add({ method: 'getFeeQuoteOrData' }),
      await add({ method: 'sponsorUserOperation' }),
      await add({ ...refused, ...refusedBy('policy-cost') }),
      await add({ ...refused, ...refusedBy('limit-sender-day-operations') }),
      await add({ mode: 'ERC20' }),
    ];
    await add({ ...refused, ...refusedBy('operator-cost') });
    await add({ ...refused, reason: 'WEBHOOK_REFUSED', ...refusedBy('webhook') });
    await add({ outcome: 'stub', method: 'getPaymasterStubData' });
    await add({ ...refused, method: 'getPaymasterStubData', ...refusedBy('policy-cost') });
    await add({ paymaster_id: 'another' });
    expect(await ids()).toEqual(wanted);
  });

  test('are the last so many', async () => {
    const { add, ids } = await start();
    for (let count = 0; count < 3; count += 1) await add();
    expect(await ids({ last: 2 })).toEqual(['decision-2', 'decision-3']);
  });

  test('are those from a time on', async () => {
    const { add, ids } = await start();
    for (let count = 0; count < 3; count += 1) await add();
    expect(await ids({ since: startTime + 2 })).toEqual(['decision-2', 'decision-3']);
  });

  test('are among the newest of the paymaster', async () => {
    const { add, ids } = await start();
    await add();
    await add();
    await add({ paymaster_id: 'another' });
    await add({ outcome: 'stub' });
    expect(await ids({ within: 3 })).toEqual(['decision-1', 'decision-2']);
    expect(await ids({ within: 2 })).toEqual(['decision-2']);
    expect(await ids({ within: 1 })).toEqual([]);
  });

  test('are in the order of their times, which need not be that in which they were written', async () => {
    const { add, ids } = await start();
    const added: string[] = [];
    for (let count = 0; count < 220; count += 1) added.push(await add({ created_at: startTime - count }));
    expect(await ids({ last: 210 })).toEqual(added.slice(10).reverse());
  });

  test('come with what was recorded, and with who refused', async () => {
    const { add, read } = await start();
    await add({ outcome: 'refused', reason: 'SENDER_BLOCKED', ...refusedBy('policy-sender') });
    const refused = { reason: 'SENDER_BLOCKED', rule: 'policy-sender', message: 'policy-sender says no' };
    expect(await read()).toEqual([
      {
        decisionId: 'decision-1',
        decidedAt: startTime + 1,
        sender,
        nonce: 1n,
        mode: 'SPONSORED',
        payer: 'CONTRACT',
        facts,
        contents,
        refused,
        released: false,
      },
    ]);
  });

  test('know whether what was held for them was given back', async () => {
    const { store, add, read } = await start();
    for (const state of ['live', 'settled', 'released'] as const) await add({ hold_id: await addHold(store, state) });
    expect((await read()).map(({ released }) => released)).toEqual([false, false, true]);
  });

  test('know what the tank paid for one that landed', async () => {
    const { store, add, read } = await start();
    for (const state of ['live', 'settled', 'released'] as const) await add({ hold_id: await addHold(store, state) });
    expect((await read()).map(({ charge }) => charge)).toEqual([undefined, 7n, undefined]);
  });
});

describe('previewPolicy', () => {
  test('says what an operation cost at the last decision that signed for it, and only there', async () => {
    const { management, store, owned, add } = await start();
    const hold_id = await addHold(store, 'settled');
    for (const outcome of ['signed', 'signed', 'stub'] as const) await add({ hold_id, outcome });
    const { cutOff } = accepted(await management.previewPolicy({ ...owned, policy }));
    expect(cutOff.map(({ decisionId, charge }) => [decisionId, charge])).toEqual([
      ['decision-1', undefined],
      ['decision-2', 7n],
    ]);
  });

  const policy = { ...defaultPolicy, blockedSenders: [sender] } as const;

  test('decides with the contracts that are registered now', async () => {
    const { management, owned, add } = await start();
    await add();
    const rules = async () =>
      accepted(await management.previewPolicy({ ...owned, policy: defaultPolicy })).cutOff.map(({ reason }) => reason);
    expect(await rules()).toEqual(['NO_POLICIES']);
    const abi =
      '[{"type":"function","name":"transfer","inputs":[{"type":"address"},{"type":"uint256"}],"outputs":[],"stateMutability":"nonpayable"}]';
    accepted(
      await management.registerSmartContract({
        ...owned,
        name: 'Token',
        address: sender,
        abi,
        whitelistedMethods: ['transfer'],
      }),
    );
    expect(await rules()).toEqual([]);
  });

  test('looks at 100 decisions when nothing is said', async () => {
    const { management, owned, add } = await start();
    for (let count = 0; count < 101; count += 1) await add();
    expect(accepted(await management.previewPolicy({ ...owned, policy })).replayed).toBe(100);
    expect(accepted(await management.previewPolicy({ ...owned, policy, last: 1_000 })).replayed).toBe(101);
  });

  test('looks at all of the last days when days are given', async () => {
    const { management, owned, add } = await start();
    for (let count = 0; count < 101; count += 1) await add();
    await add({ created_at: startTime - 7 * 86_400 - 1 });
    const previewed = async (days: number) =>
      accepted(await management.previewPolicy({ ...owned, policy, days })).replayed;
    expect(await previewed(7)).toBe(101);
    expect(await previewed(8)).toBe(102);
    for (const days of [0, 31, 1.5])
      expect(refusalOf(await management.previewPolicy({ ...owned, policy, days }))).toBe(
        'INVALID_FIELD: days must be a whole number from 1 to 30',
      );
  });

  test.each([0, 1_001, 1.5, Number.NaN])('looks at no %s decisions', async (last) => {
    const { management, owned } = await start();
    expect(refusalOf(await management.previewPolicy({ ...owned, policy, last }))).toBe(
      'INVALID_FIELD: last must be a whole number from 1 to 1000',
    );
  });
});
