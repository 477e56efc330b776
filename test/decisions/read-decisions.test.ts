import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { maxPageSize } from '../../contract/limits.ts';
import { maxScanned } from '../../core/decisions/manage-decisions.ts';
import type { DecisionFilter } from '../../core/domain/decision.ts';
import { accepted } from '../../server/accepted.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { chainId, type DecisionLab, day, noon, openDecisionLab, type TestDecision } from './decision-lab.ts';

let lab: DecisionLab;
beforeEach(async () => {
  lab = await openDecisionLab();
});
afterEach(() => lab.close());

const alice = numberedAddress(0xa1);
const bob = numberedAddress(0xb0);
const target = numberedAddress(0x7a);

async function list(input: { filter?: DecisionFilter; cursor?: string; limit?: number } = {}) {
  return accepted(await lab.reading.listDecisions({ ...lab.own, filter: {}, ...input }));
}

/** The ids of all pages, and how many pages there were. */
async function readAll(filter: DecisionFilter, limit: number, between: () => Promise<unknown> = async () => {}) {
  const ids: string[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const page = await list({ filter, limit, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...page.decisions.map(({ decisionId }) => decisionId));
    pages += 1;
    cursor = page.nextCursor;
    await between();
  } while (cursor !== undefined);
  return { ids, pages };
}

test('while a long page is decoded, the event loop has turns for other work', async () => {
  await lab.addMany(Array.from({ length: maxPageSize }, () => ({})));
  // Each look at the clock takes a millisecond, on a machine of any speed.
  let clockMs = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    clockMs += 1;
    return clockMs;
  });
  let turns = 0;
  let timer: NodeJS.Immediate | undefined;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  timer = setImmediate(count);
  const { decisions } = await list({ limit: maxPageSize });
  clearImmediate(timer);
  vi.restoreAllMocks();
  // A turn decodes for two milliseconds.
  expect([decisions.length, turns >= maxPageSize / 2]).toEqual([maxPageSize, true]);
});

describe('a decision', () => {
  test('is read whole, with what became of it on chain', async () => {
    const txHash = `0x${'ab'.repeat(32)}` as const;
    const holdId = await lab.hold({ state: 'settled', amount: 900n, charge: 700n, success: false, txHash });
    const calls = [{ target, selector: '0xa9059cbb' }] as const;
    const decisionId = await lab.add({ outcome: 'signed', mode: 'SPONSORED', sender: alice, calls, holdId });
    expect(accepted(await lab.reading.getDecision({ ...lab.own, decisionId }))).toEqual({
      decisionId,
      decidedAt: noon,
      method: 'getFeeQuoteOrData',
      chainId,
      outcome: 'signed',
      status: 'failed',
      mode: 'SPONSORED',
      sender: alice,
      nonce: 7n,
      facts: { calls, deploysOnly: false, maxFeePerGas: 10n ** 9n },
      settlement: { state: 'settled', payer: 'CONTRACT', held: 900n, charge: 700n, success: false, txHash },
      trace: [{ rule: 'apiKey', verdict: 'passed', checked: 'the apiKey' }],
    });
  });

  test('of token mode has what the user paid for it', async () => {
    const paid = await lab.hold({ state: 'settled', amount: 900n, charge: 700n, success: true });
    const unpaid = await lab.hold({ state: 'live', amount: 900n });
    const token = numberedAddress(0x70);
    await lab.pay(paid, token, 2n ** 200n);
    for (const holdId of [paid, unpaid]) await lab.add({ outcome: 'signed', mode: 'ERC20', token, holdId });
    const { decisions } = await list();
    expect(decisions.map(({ settlement }) => settlement?.tokenPayment)).toEqual([
      undefined,
      { token, amount: 2n ** 200n },
    ]);
  });

  test('that held nothing has no settlement, and an open one has only what it holds', async () => {
    const refused = await lab.add({ outcome: 'refused', reason: 'NO_POLICIES' });
    const signed = await lab.add({ outcome: 'signed', holdId: await lab.hold({ state: 'live', amount: 5n }) });
    expect(accepted(await lab.reading.getDecision({ ...lab.own, decisionId: refused }))).not.toHaveProperty(
      'settlement',
    );
    const { settlement } = accepted(await lab.reading.getDecision({ ...lab.own, decisionId: signed }));
    expect(settlement).toEqual({ state: 'live', payer: 'CONTRACT', held: 5n });
  });

  test('of another paymaster, one that was pruned and one that never was are refused alike', async () => {
    const pruned = await lab.add({ decidedAt: noon - 40 * day });
    const foreign = await lab.add({ paymasterId: lab.foreign.paymasterId });
    await lab.sweep({ keepDays: 30, keepMost: 1_000 });
    const refused = { ok: false, refusal: { reason: 'DECISION_NOT_FOUND', message: 'Decision not found' } };
    for (const decisionId of [pruned, foreign, '00000000-0000-4000-8000-000000000000']) {
      expect(await lab.reading.getDecision({ ...lab.own, decisionId })).toEqual(refused);
    }
    // The right paymaster of the wrong account is as foreign.
    const crossed = { accountId: lab.own.accountId, paymasterId: lab.foreign.paymasterId };
    expect(await lab.reading.getDecision({ ...crossed, decisionId: foreign })).toEqual(refused);
    expect(await lab.reading.getDecision({ ...lab.foreign, decisionId: foreign })).toMatchObject({ ok: true });
  });
});

describe('the list', () => {
  test('is the paymaster’s own, newest first', async () => {
    const first = await lab.add();
    await lab.add({ paymasterId: lab.foreign.paymasterId });
    const second = await lab.add();
    const { decisions, nextCursor } = await list();
    expect(decisions.map(({ decisionId }) => decisionId)).toEqual([second, first]);
    expect(nextCursor).toBeUndefined();
  });

  test('has a refusal, which is written a moment after its answer, where it was decided', async () => {
    const id = (ms: number) => `${ms.toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')}-7000-8000-000000000000`;
    const [refused, signed, later] = [id(noon * 1_000 + 10), id(noon * 1_000 + 11), id(noon * 1_000 + 1_000)];
    await lab.add({ decisionId: signed, outcome: 'signed' });
    await lab.add({ decisionId: later, decidedAt: noon + 1, outcome: 'signed' });
    await lab.add({ decisionId: refused, outcome: 'refused', reason: 'NO_POLICIES' });
    const { decisions } = await list();
    expect(decisions.map(({ decisionId }) => decisionId)).toEqual([later, signed, refused]);
  });

  test('of a paymaster of another account is refused as that of one that does not exist', async () => {
    const crossed = { accountId: lab.own.accountId, paymasterId: lab.foreign.paymasterId };
    const unknown = { accountId: lab.own.accountId, paymasterId: 'unknown' };
    const answers = [];
    for (const owned of [crossed, unknown]) {
      answers.push(await lab.reading.listDecisions({ ...owned, filter: {} }));
      answers.push(await lab.reading.getUsage({ ...owned, by: 'day' }));
    }
    const refused = { ok: false, refusal: { reason: 'PAYMASTER_NOT_FOUND', message: 'Paymaster not found' } };
    expect(answers).toEqual([refused, refused, refused, refused]);
  });

  test('skips and repeats nothing while decisions are added and the oldest pruned', async () => {
    const old = await lab.addMany(Array.from({ length: 6 }, () => ({ decidedAt: noon - 40 * day })));
    const before = await lab.addMany(Array.from({ length: 25 }, () => ({})));
    let pruned = false;
    const { ids } = await readAll({}, 4, async () => {
      await lab.add();
      if (!pruned) await lab.sweep({ keepDays: 30, keepMost: 1_000 });
      pruned = true;
    });
    expect(ids).toEqual([...before].reverse());
    expect(ids.some((id) => old.includes(id))).toBe(false);
  });

  test('has pages of 50 by default, and of 200 at most', async () => {
    await lab.addMany(Array.from({ length: 201 }, () => ({})));
    expect((await list()).decisions).toHaveLength(50);
    expect((await list({ limit: 5_000 })).decisions).toHaveLength(200);
    expect((await list({ limit: 0 })).decisions).toHaveLength(1);
  });

  const kinds: readonly TestDecision[] = [
    { outcome: 'signed', mode: 'SPONSORED', sender: alice, decidedAt: noon },
    { outcome: 'quoted', mode: 'ERC20', sender: alice, decidedAt: noon + 1 },
    { outcome: 'stub', mode: 'SPONSORED', sender: bob, decidedAt: noon + 2 },
    { outcome: 'refused', reason: 'LIMIT_EXCEEDED', mode: 'SPONSORED', sender: bob, decidedAt: noon + 3 },
    { outcome: 'refused', reason: 'UNAUTHORIZED', decidedAt: noon + 4 },
  ];
  test.each<[DecisionFilter, readonly number[]]>([
    [{ outcome: 'refused' }, [4, 3]],
    [{ reason: 'LIMIT_EXCEEDED' }, [3]],
    [{ reason: 'NOTHING' }, []],
    [{ sender: alice.toLowerCase() }, [1, 0]],
    [{ mode: 'SPONSORED' }, [3, 2, 0]],
    [{ from: noon + 2 }, [4, 3, 2]],
    [{ until: noon + 2 }, [1, 0]],
    [{ from: noon + 1, until: noon + 3, mode: 'SPONSORED', outcome: 'stub', sender: bob }, [2]],
  ])('with %o has those that match', async (filter, expected) => {
    const ids = await lab.addMany(kinds);
    expect((await readAll(filter, 2)).ids).toEqual(expected.map((index) => ids[index]));
  });

  test.each([
    [{ cursor: '0' }, 'cursor'],
    [{ cursor: '-1' }, 'cursor'],
    [{ cursor: '1; DROP TABLE decisions' }, 'cursor'],
    [{ filter: { sender: '0x1234' } }, 'sender'],
  ])('refuses %o', async (input, field) => {
    const answer = await lab.reading.listDecisions({ ...lab.own, filter: {}, ...input });
    expect(answer).toMatchObject({ ok: false, refusal: { reason: 'INVALID_FIELD', field } });
  });

  test('looks through a bounded number of decisions a call, and finds a rare one with the cursor', async () => {
    const rare = await lab.add({ sender: alice });
    await lab.addMany(Array.from({ length: maxScanned + 500 }, () => ({})));
    const first = await list({ filter: { sender: alice } });
    expect(first.decisions).toEqual([]);
    expect(first.nextCursor).toBeDefined();
    expect(await readAll({ sender: alice }, 50)).toEqual({ ids: [rare], pages: 2 });
  });
});
