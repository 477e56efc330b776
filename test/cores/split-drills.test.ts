import { parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { depositOf, newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { laterProgram } from '../support/command-line/later-program.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { isOnPostgres } from '../support/store/test-database.ts';
import { type GatewayProcess, openSplit, type Split } from './start-split.ts';

/** Of a machine that is busy. */
const patience = { timeout: 90_000, interval: 50 };
/** How often a proxy in front of the gateways looks whether they are ready. */
const betweenLooks = 100;

/** Two cores and two gateways as processes of their own; whatever becomes of one, no client is to notice. */
describe.skipIf(!isOnPostgres)('clients of two gateways in front of two cores', () => {
  let split: Split;
  let tank: ProductionTank;

  beforeAll(async () => {
    split = await openSplit();
    tank = await fundedTank(split, { family: '0.7', amount: parseEther('10') });
  });
  afterAll(() => split?.close());

  const at = (gateway: GatewayProcess | undefined) => tank.rpcUrl.replace(/^http:\/\/[^/]+/, gateway?.url ?? '');

  /** Sponsors by gateways that are ready, as a proxy in front has it: it looks, and sends nothing twice. */
  async function underLoad(work: (served: () => number) => Promise<void>): Promise<void> {
    const account = newSmartAccount('0.7');
    const drafts = await Promise.all(
      [1n, 2n, 3n, 4n].map((nonceKey) =>
        nextOperation(split.devnet, account, [targetCall(split.devnet, 'increment')], nonceKey),
      ),
    );
    const ready = new Set<GatewayProcess>(split.gateways);
    const looking = setInterval(() => {
      for (const gateway of split.gateways) {
        gateway.readiness().then((answer) => {
          if (answer.ready) ready.add(gateway);
          else ready.delete(gateway);
          if (!answer.ready) said = answer.text;
        });
      }
    }, betweenLooks);
    let isLoaded = true;
    let served = 0;
    let said = '';
    const clients = drafts.map(async (draft, client) => {
      for (let turn = client; isLoaded; turn += 1) {
        const gateways = [...ready];
        const gateway = gateways[turn % gateways.length];
        if (gateway === undefined) throw new Error(`No gateway is ready: ${said}`);
        await sponsor(at(gateway), draft);
        served += 1;
      }
    });
    const load = Promise.all(clients);
    await Promise.race([load, work(() => served)]);
    isLoaded = false;
    await load;
    clearInterval(looking);
  }

  async function untilServed(served: () => number, more: number): Promise<void> {
    const before = served();
    await vi.waitFor(() => expect(served()).toBeGreaterThan(before + more), patience);
  }

  test('notice nothing of a restart of each, one after the other', async () => {
    await underLoad(async (served) => {
      for (const location of [...split.cores, ...split.gateways]) {
        await untilServed(served, 10);
        expect(await location.process.stop('SIGTERM')).toBe(0);
        await location.restart();
      }
      await untilServed(served, 10);
    });
  });

  test('notice nothing of a core that is killed', async () => {
    const [core] = split.cores;
    await underLoad(async (served) => {
      await untilServed(served, 10);
      await core?.process.stop('SIGKILL');
      await untilServed(served, 40);
      await core?.restart();
    });
  });

  test('wait for another core where one stands still, and for none for long', async () => {
    const [, core] = split.cores;
    await underLoad(async (served) => {
      await untilServed(served, 10);
      core?.process.child.kill('SIGSTOP');
      await untilServed(served, 40);
      core?.process.child.kill('SIGCONT');
      await untilServed(served, 10);
    });
  });

  test.each([
    ['the one that leads first', async () => [await split.leader(), await follower()] as const],
    ['the one that leads last', async () => [await follower(), await split.leader()] as const],
  ])('notice nothing of an upgrade that changes what is written, %s', async (_, inOrder) => {
    const program = laterProgram();
    await vi.waitFor(async () => {
      for (const { readiness } of split.gateways) expect((await readiness()).text).not.toContain('does not');
    }, patience);
    const [first, second] = await inOrder();
    await underLoad(async (served) => {
      await untilServed(served, 10);
      for (const core of [first, second]) {
        expect(await core.process.stop('SIGTERM')).toBe(0);
        await core.restart(program);
        await untilServed(served, 40);
      }
      await vi.waitFor(async () => expect([first, second]).toContain(await split.leader()), patience);
    });
  });

  async function follower() {
    const leader = await split.leader();
    const [other] = split.cores.filter((core) => core !== leader);
    if (other === undefined) throw new Error('There is one core.');
    return other;
  }

  test('have paid what landed, after all that', async () => {
    const account = newSmartAccount('0.7');
    const drafted = await nextOperation(split.devnet, account, [targetCall(split.devnet, 'increment')]);
    await land(split.devnet, account, withAnswer(drafted, await sponsor(at(split.gateways[0]), drafted)));
    await mineConfirmations(split.devnet);
    const deposit = await depositOf(split.devnet, '0.7', tank.contract);
    await vi.waitFor(async () => {
      const [, part] = (await split.checkLedger()).split(`contract ${tank.contract}, `);
      expect(/deposit in ledger\s+\S+ ether \((\d+) wei\)/.exec(part ?? '')?.[1]).toBe(String(deposit));
    }, patience);
  });
});
