import type { OperationStatus } from '@tollfree/contract/operation-status';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UserOperationLanded } from '../../core/node/chain-event.ts';
import { chainId, contract, entryPoint } from '../support/core/ledger-lab.ts';
import { foreign, hashOf, type LivesLab, openLivesLab, own } from './lives-lab.ts';

let lab: LivesLab;
beforeEach(async () => {
  lab = await openLivesLab();
});
afterEach(async () => {
  await lab.sent.close();
  await lab.close();
});

const steps = ['operation.sent', 'operation.included', 'operation.dropped'];

describe('an operation', () => {
  test('is signed, sent and included, each with its time, and names its cost, block and decision', async () => {
    const { decisionId } = await lab.sign('first');
    const signedAt = lab.now();
    expect(await lab.life('first')).toMatchObject({ status: 'signed', steps: [{ status: 'signed', at: signedAt }] });
    lab.pass(2);
    await lab.note('first');
    expect(await lab.life('first')).toMatchObject({ status: 'sent' });
    lab.pass(10);
    const event = await lab.land('first');
    expect(await lab.life('first')).toEqual({
      userOperationHash: hashOf('first'),
      chainId,
      contract,
      sender: event.sender,
      nonce: 0n,
      status: 'included',
      steps: [
        { status: 'signed', at: signedAt },
        { status: 'sent', at: signedAt + 2 },
        { status: 'included', at: signedAt + 12 },
      ],
      validUntil: signedAt + 300,
      held: 100n,
      charge: 60n,
      success: true,
      txHash: event.txHash,
      blockNumber: event.blockNumber,
      decisionIds: [decisionId],
    });
    expect(await lab.decision(decisionId)).toMatchObject({ status: 'included', userOperationHash: hashOf('first') });
  });

  test('is included without having been sent, where its bundler was called without this service', async () => {
    await lab.sign('first');
    await lab.land('first');
    const { status, steps: taken } = await lab.life('first');
    expect([status, ...taken.map((step) => step.status)]).toEqual(['included', 'signed', 'included']);
  });

  test('has failed when its own calls reverted, and says why', async () => {
    await lab.close();
    lab = await openLivesLab(async ({ txHash }) => `Refused by ${txHash.slice(0, 4)}`);
    await lab.sign('first');
    const { txHash } = await lab.land('first', { success: false });
    const life = await lab.life('first');
    expect(life).toMatchObject({ status: 'failed', success: false, revertReason: `Refused by ${txHash.slice(0, 4)}` });
  });

  test('has diverged when its own calls reverted although they succeeded in the simulation', async () => {
    await lab.listen('operation.diverged');
    await lab.sign('diverged');
    await lab.sign('not simulated', { nonce: 1n, simulated: false });
    await lab.sign('succeeded', { nonce: 2n });
    await lab.land('diverged', { success: false });
    await lab.land('not simulated', { nonce: 1n, success: false });
    await lab.land('succeeded', { nonce: 2n });
    expect(await lab.reported()).toMatchObject([
      { type: 'operation.diverged', data: { userOperationHash: hashOf('diverged') } },
    ]);
  });

  test('is replaced when another signature for its nonce lands, and names that one', async () => {
    const first = await lab.sign('first');
    const second = await lab.sign('second');
    expect(second.holdId).toBe(first.holdId);
    await lab.land('second');
    const life = await lab.life('first');
    expect(life).toMatchObject({ status: 'replaced', replacedBy: hashOf('second') });
    expect(life).not.toHaveProperty('charge');
    expect(life).not.toHaveProperty('txHash');
    expect(await lab.decision(first.decisionId)).toMatchObject({ status: 'replaced' });
    expect(await lab.decision(second.decisionId)).toMatchObject({ status: 'included' });
  });

  test('is replaced when an operation that this service did not sign uses its nonce', async () => {
    await lab.sign('first');
    await lab.land('other', { contentIds: [] });
    expect(await lab.life('first')).toMatchObject({ status: 'replaced', replacedBy: hashOf('other') });
  });

  test('has expired when its signature ended and no bundler is known to have had it, and was dropped otherwise', async () => {
    await lab.sign('kept');
    await lab.sign('sent', { nonce: 1n });
    await lab.note('sent');
    await lab.expire();
    expect(await lab.life('kept')).toMatchObject({ status: 'expired' });
    expect(await lab.life('sent')).toMatchObject({ status: 'dropped' });
    await lab.note('kept');
    expect(await lab.life('kept')).toMatchObject({ status: 'expired' });
  });

  test('is found by the hash that landed where another one was expected', async () => {
    const { decisionId } = await lab.sign('expected', { contentId: hashOf('name') });
    await lab.land('landed', { contentIds: [hashOf('name')] });
    expect(await lab.life('landed')).toMatchObject({ status: 'included', decisionIds: [decisionId] });
    const decision = await lab.decision(decisionId);
    expect(decision).toMatchObject({ status: 'included', userOperationHash: hashOf('landed') });
    await expect(lab.life('name')).rejects.toThrow('Operation not found');
  });

  test('is not there for the paymaster of another account', async () => {
    await lab.sign('first');
    const notFound = { ok: false, refusal: { reason: 'OPERATION_NOT_FOUND', message: 'Operation not found' } };
    expect(await lab.reading.getOperation({ ...foreign, userOperationHash: hashOf('first') })).toEqual(notFound);
    const crossed = { accountId: foreign.accountId, paymasterId: own.paymasterId };
    expect(await lab.reading.getOperation({ ...crossed, userOperationHash: hashOf('first') })).toEqual(notFound);
    expect(await lab.reading.getOperation({ ...own, userOperationHash: hashOf('never') })).toEqual(notFound);
  });
});

describe('a block that is no longer on the chain', () => {
  test.each([
    ['sent', true],
    ['signed', false],
  ])('makes an included operation %s again', async (status, isSent) => {
    const { decisionId } = await lab.sign('first');
    if (isSent) await lab.note('first');
    const event = await lab.land('first');
    await lab.reorg(event);
    const life = await lab.life('first');
    expect(life.status).toBe(status);
    for (const gone of ['charge', 'txHash', 'blockNumber', 'success']) expect(life).not.toHaveProperty(gone);
    expect(await lab.decision(decisionId)).toMatchObject({ status });
    await lab.landAgain(event);
    expect(await lab.life('first')).toMatchObject({ status: 'included', blockNumber: event.blockNumber });
  });

  test('brings back an operation that was replaced', async () => {
    await lab.sign('first');
    const event = await lab.land('other', { contentIds: [] });
    await lab.reorg(event);
    expect(await lab.life('first')).toMatchObject({ status: 'signed' });
  });
});

describe('listeners', () => {
  test('learn of each step once, also when the operation lands again after a reorg', async () => {
    await lab.listen(...steps);
    await lab.sign('first');
    await lab.note('first');
    await lab.note('first');
    const event = await lab.land('first');
    await lab.reorg(event);
    await lab.landAgain(event);
    const reported = await lab.reported();
    expect(reported.map(({ type }) => type)).toEqual(['operation.sent', 'operation.included']);
    expect(reported[1]?.data).toMatchObject({
      userOperationHash: hashOf('first'),
      success: true,
      charge: '60',
      nonce: '0',
    });
  });

  test('learn that a sent operation was dropped, why, and what replaced it; and nothing of what was only signed', async () => {
    await lab.listen(...steps);
    await lab.sign('unsent', { nonce: 1n });
    await lab.sign('expires', { nonce: 2n });
    await lab.note('expires');
    await lab.sign('loses');
    await lab.note('loses');
    await lab.sign('wins');
    await lab.land('wins');
    await lab.expire();
    const dropped = (await lab.reported()).filter(({ type }) => type === 'operation.dropped').map(({ data }) => data);
    expect(dropped).toEqual([
      expect.objectContaining({
        userOperationHash: hashOf('loses'),
        because: 'replaced',
        replacedBy: hashOf('wins'),
      }),
      expect.objectContaining({ userOperationHash: hashOf('expires'), because: 'expired' }),
    ]);
  });

  test('learn that an operation was dropped once, although a reorg brings it back and it is dropped again', async () => {
    await lab.listen(...steps);
    await lab.sign('first');
    await lab.note('first');
    await lab.reorg(await lab.land('other', { contentIds: [] }));
    await lab.expire();
    expect(await lab.life('first')).toMatchObject({ status: 'dropped' });
    const reported = (await lab.reported()).map(({ type }) => type);
    expect(reported).toEqual(['operation.sent', 'operation.dropped']);
  });
});

describe('notes of sent operations', () => {
  test('that come before the signature has been written count once it is', async () => {
    lab.sent.noteSent({ chainId, entryPoint, userOpHash: hashOf('first') });
    await lab.sent.flush();
    await lab.sign('first');
    await expect.poll(async () => (await lab.life('first')).status, { timeout: 10_000 }).toBe('sent');
  });

  test('of operations that no one signed, or of another chain, leave no trace', async () => {
    await lab.sign('first');
    lab.sent.noteSent({ chainId: chainId + 1, entryPoint, userOpHash: hashOf('first') });
    for (let count = 0; count < 2_000; count += 1) {
      lab.sent.noteSent({ chainId, entryPoint, userOpHash: hashOf(`stranger ${count}`) });
    }
    await lab.sent.flush();
    expect(await lab.life('first')).toMatchObject({ status: 'signed' });
    const rows = await lab.store.db.selectFrom('signatures').select('user_operation_hash').execute();
    expect(rows).toHaveLength(1);
  });
});

describe('the list of decisions', () => {
  test('has those of a status, and those that landed in a transaction', async () => {
    const first = await lab.sign('first');
    const second = await lab.sign('second', { nonce: 1n });
    const third = await lab.sign('third', { nonce: 2n });
    await lab.note('second');
    const { txHash } = await lab.land('third', { nonce: 2n });
    const list = async (filter: { status?: OperationStatus; txHash?: string }) => {
      const page = await lab.reading.listDecisions({ ...own, filter });
      return page.ok ? page.value.decisions.map(({ decisionId }) => decisionId) : page.refusal;
    };
    expect(await list({ status: 'signed' })).toEqual([first.decisionId]);
    expect(await list({ status: 'sent' })).toEqual([second.decisionId]);
    expect(await list({ status: 'included' })).toEqual([third.decisionId]);
    expect(await list({ txHash })).toEqual([third.decisionId]);
    expect(await list({ txHash: hashOf('none') })).toEqual([]);
    const theirs = await lab.reading.listDecisions({ ...foreign, filter: { txHash } });
    expect(theirs).toEqual({ ok: true, value: { decisions: [] } });
  });
});

/** Statuses only move forward; those of the last rank never change. */
const rank: Readonly<Record<OperationStatus, number>> = {
  refused: 9,
  quoted: 0,
  signed: 1,
  sent: 2,
  included: 3,
  failed: 3,
  dropped: 3,
  replaced: 3,
  expired: 3,
  released: 3,
};

test('statuses only move forward, whatever happens in whatever order, except for a reorg', {
  timeout: 120_000,
}, async () => {
  const happening = fc.constantFrom('sign', 'note', 'land', 'fail', 'land other', 'expire', 'reorg');
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 2, maxLength: 12 }), fc.nat(), async (happenings, seed) => {
      const world = await openLivesLab();
      await world.listen(...steps);
      const names: string[] = [];
      const seen = new Map<string, OperationStatus>();
      let landed: UserOperationLanded | undefined;
      try {
        for (const [index, each] of happenings.entries()) {
          const name = names[(seed + index) % Math.max(names.length, 1)];
          const canLand = landed === undefined && name !== undefined && rank[seen.get(name) ?? 'signed'] < 3;
          if (each === 'sign' && landed === undefined) {
            names.push(`operation ${index}`);
            await world.sign(`operation ${index}`);
          } else if (each === 'note' && name !== undefined) await world.note(name);
          else if (each === 'land' && canLand) landed = await world.land(name);
          else if (each === 'fail' && canLand) landed = await world.land(name, { success: false });
          else if (each === 'land other' && landed === undefined) {
            landed = await world.land(`other ${index}`, { contentIds: [] });
          } else if (each === 'expire') await world.expire();
          else if (each === 'reorg' && landed !== undefined) {
            await world.reorg(landed);
            landed = undefined;
            seen.clear();
          }
          for (const known of names) {
            const { status } = await world.life(known);
            const before = seen.get(known);
            if (before !== undefined && before !== status) expect(rank[status]).toBeGreaterThan(rank[before]);
            seen.set(known, status);
          }
        }
        const reported = (await world.reported()).map(({ type, data }) => `${type} ${data.userOperationHash}`);
        expect(new Set(reported).size).toBe(reported.length);
      } finally {
        await world.sent.close();
        await world.close();
      }
    }),
    { numRuns: 40 },
  );
});
