import { parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { depositOf, newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { isOnPostgres } from '../support/store/test-database.ts';
import { type Nodes, openNodes, type RunningNode } from './start-nodes.ts';

/** Of a machine that is busy. */
const patience = { timeout: 90_000, interval: 50 };

/** Nodes that are processes of their own, of which one leads; the order is that of these tests. */
describe.skipIf(!isOnPostgres)('the node that leads', () => {
  let nodes: Nodes;
  let tank: ProductionTank;
  let running: RunningNode[] = [];
  let landing: Promise<unknown> = Promise.resolve();

  beforeAll(async () => {
    const opened = await openNodes();
    nodes = opened.nodes;
    running = [opened.first, await nodes.start()];
    tank = await fundedTank(nodes, { family: '0.7', amount: parseEther('10') });
  });
  afterAll(() => nodes?.close());

  const at = (node: RunningNode) => tank.rpcUrl.replace(/^http:\/\/[^/]+/, node.url);

  /** A client's operation, sent to another node where one does not respond; landed. */
  async function sponsorAndLand(asked: readonly RunningNode[]): Promise<void> {
    const account = newSmartAccount('0.7');
    const drafted = await nextOperation(nodes.devnet, account, [targetCall(nodes.devnet, 'increment')]);
    const operation = withAnswer(drafted, await answered(drafted, asked));
    // The one bundler of the chain sends one after the other.
    const landed = landing.then(() => land(nodes.devnet, account, operation));
    landing = landed.catch(() => undefined);
    await landed;
  }

  async function answered(drafted: Parameters<typeof sponsor>[1], [node, ...others]: readonly RunningNode[]) {
    if (node === undefined) throw new Error('No node has answered.');
    try {
      return await sponsor(at(node), drafted, { expiryDuration: 60 });
    } catch (cause) {
      if (others.length === 0) throw cause;
      return answered(drafted, others);
    }
  }

  async function leaderAmong(candidates: readonly RunningNode[]): Promise<RunningNode> {
    return vi.waitFor(async () => {
      for (const node of candidates) if ((await node.look()).leads) return node;
      throw new Error('No process leads.');
    }, patience);
  }

  /** Everything that has landed is in the ledger, once; they come to the contract's deposit to the wei. */
  async function expectExactLedger(node: RunningNode): Promise<void> {
    await mineConfirmations(nodes.devnet);
    const deposit = await depositOf(nodes.devnet, '0.7', tank.contract);
    await vi.waitFor(async () => {
      const report = await nodes.checkLedger(node);
      const [, part] = report.split(`contract ${tank.contract}, `);
      expect(/deposit in ledger\s+\S+ ether \((\d+) wei\)/.exec(part ?? '')?.[1]).toBe(String(deposit));
    }, patience);
  }

  test('is followed by another one when it is stopped, and changes nothing when it goes on', async () => {
    const [first, second] = running as [RunningNode, RunningNode];
    const leader = await leaderAmong(running);
    const other = leader === first ? second : first;
    await sponsorAndLand([leader]);
    await sponsorAndLand([other]);
    leader.process.child.kill('SIGSTOP');
    // No one waits for it: a turn at the database that it was in the middle of is ended by the server.
    await vi.waitFor(() => sponsorAndLand([other]), patience);
    expect(await leaderAmong([other])).toBe(other);
    await expectExactLedger(other);
    leader.process.child.kill('SIGCONT');
    await vi.waitFor(async () => expect(await leader.look()).toEqual({ isReady: true, leads: false }), patience);
    await sponsorAndLand([leader]);
    await sponsorAndLand([other]);
    await expectExactLedger(leader);
    expect((await other.look()).leads).toBe(true);
  });

  test('signs nothing after a loss of data until the operator ends the wait', async () => {
    const [first, second] = running as [RunningNode, RunningNode];
    await expect(nodes.resumeLedger(first, '--accept-lost-holds')).rejects.toThrow('no core waits');
    await nodes.loseData();
    await vi.waitFor(async () => {
      for (const node of running) expect((await node.look()).isReady).toBe(false);
    }, patience);
    await expect(sponsorAndLand([first])).rejects.toThrow();
    await expect(nodes.resumeLedger(first)).rejects.toThrow('Repeat with --accept-lost-holds');
    expect(await nodes.resumeLedger(first, '--accept-lost-holds')).toContain('sign again');
    await vi.waitFor(async () => {
      for (const node of running) expect((await node.look()).isReady).toBe(true);
    }, patience);
    await sponsorAndLand([first]);
    await sponsorAndLand([second]);
  });

  test('is followed by another one when it is killed under load', async () => {
    const leader = await leaderAmong(running);
    const others = running.filter((node) => node !== leader);
    let isLoaded = true;
    let landed = 0;
    const load = Promise.all(
      [1, 2].map(async () => {
        while (isLoaded) {
          await sponsorAndLand([leader, ...others]);
          landed += 1;
        }
      }),
    );
    await vi.waitFor(() => expect(landed).toBeGreaterThan(2), patience);
    await leader.process.stop('SIGKILL');
    const next = await leaderAmong(others);
    const before = landed;
    await vi.waitFor(() => expect(landed).toBeGreaterThan(before + 2), patience);
    isLoaded = false;
    await load;
    await expectExactLedger(next);
    running = [...others, await nodes.start()];
  });

  test('hands over when it is stopped, and clients that ask another node notice nothing', async () => {
    let isLoaded = true;
    let landed = 0;
    const load = (async () => {
      while (isLoaded) {
        await sponsorAndLand(running);
        landed += 1;
      }
    })();
    for (const node of [...running]) {
      const others = running.filter((one) => one !== node);
      const stopping = node.process.stop('SIGTERM');
      // Clients leave it out as soon as it says that it stops.
      running = others;
      expect(await stopping).toBe(0);
      await leaderAmong(others);
      running = [...others, await nodes.start()];
      // Until the client's next operation knows of it: the others stop next.
      const before = landed;
      await vi.waitFor(() => expect(landed).toBeGreaterThan(before + 1), patience);
    }
    isLoaded = false;
    await load;
    await expectExactLedger(running[0] as RunningNode);
  });
});
