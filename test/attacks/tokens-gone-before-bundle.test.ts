import { maxUint256, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import {
  approveCall,
  fundWithTokens,
  mint,
  nextOperation,
  targetCall,
  tokenBalance,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { familiesWith } from '../support/paymaster-contracts/families-by-mode.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { freshKey } from '../support/service/running-service.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { type AttackMeasure, bundleAlone } from './measure-attack.ts';
import { actNow, deployPayer, sendAway, type TokenPayer } from './token-payer.ts';

const owned = parseEther('1');

/** Families whose tank can pay for an operation whose tokens are gone. */
const carrying = familiesWith('ERC20').filter(
  (family) => paymasterContractFamilies.get(family)?.withoutPayment === 'carried',
);
/** Of these, what takes the tokens first where it can, and what looks in validation whether they are there. */
const takesInAdvance = (family: string) => paymasterContractFamilies.get(family)?.mostInAdvance !== undefined;
const looksFirst = (family: string) => carrying.includes(family) && !takesInAdvance(family);

const reverting = familiesWith('ERC20').flatMap((family) =>
  (looksFirst(family) ? ['its tokens'] : ['its tokens', 'its approval']).map((what) => ({ family, what })),
);

/** The attack on the tank of a service. */
function attackOn(service: ReturnType<typeof useProductionService>) {
  const token = () => tokenWith(service().devnet, 6);
  const wish = () => ({ token: token().address });

  /**
   * Has an operation signed with what the account has, takes that away, and bundles it: what his own wallet gains and the
   * tank loses; nothing when it is not signed.
   */
  async function attack(
    { rpcUrl, contract, ...tank }: ProductionTank,
    payer: TokenPayer,
    { beforeBundle, approves }: { readonly beforeBundle: () => Promise<void>; readonly approves: boolean },
  ) {
    const { devnet } = service();
    const approval = approves ? [approveCall(token(), contract, maxUint256)] : [];
    const operation = await nextOperation(devnet, payer.account, [...approval, targetCall(devnet, 'increment')]);
    // Each account from an address of its own: what one address may have open is not what is measured here.
    const client = `2001:db8:0:${payer.sender.slice(2, 6)}::1`;
    const answer = await askSponsorship(rpcUrl, operation, { ...wish(), client });
    if (answer.httpStatus !== 200) return { answer };
    const signed = signedAnswer(answer);
    const complete = await signUserOperation(devnet, withAnswer(operation, signed), payer.account.owner);
    await beforeBundle();
    const moved: AttackMeasure = await bundleAlone(devnet, { tank: { contract, ...tank }, operations: [complete] });
    return { answer, moved };
  }

  /**
   * The way out of payment that a family leaves: tokens that go away after the operation's own approval was signed for, or
   * an approval that does. The account keeps its tokens, or the thief has them.
   */
  async function flee(tank: ProductionTank, known?: TokenPayer) {
    const { devnet } = service();
    const payer = known ?? (await deployPayer(devnet, tank.version));
    const thief = privateKeyToAddress(freshKey());
    const approves = takesInAdvance(tank.family);
    if (approves) await mint(devnet, token(), payer.sender, owned);
    else await fundWithTokens(devnet, token(), { owner: payer.sender, spender: tank.contract });
    const before = await tokenBalance(devnet, token(), payer.sender);
    const away = approves ? sendAway(token(), thief, before) : approveCall(token(), tank.contract, 0n);
    const attacked = await attack(tank, payer, { beforeBundle: () => actNow(devnet, payer, away), approves });
    if (attacked.moved !== undefined) {
      const kept = await tokenBalance(devnet, token(), approves ? thief : payer.sender);
      expect(kept).toBe(before);
    }
    return { ...attacked, payer };
  }

  return { token, wish, attack, flee };
}

describe('without a word of the operator', () => {
  const service = useProductionService();
  const { token, wish, attack, flee } = attackOn(service);
  const safe = new Map<string, Promise<ProductionTank>>();
  /** One for each family, which loses nothing. */
  function safeTank(family: string): Promise<ProductionTank> {
    const known = safe.get(family) ?? fundedTank(service(), { family, amount: parseEther('1') });
    safe.set(family, known);
    return known;
  }

  test.each(reverting)(
    'who takes $what back before the bundle lands nothing of $family and the tank loses nothing',
    async ({ family, what }) => {
      const { devnet } = service();
      const tank = await safeTank(family);
      const payer = await deployPayer(devnet, tank.version);
      await fundWithTokens(devnet, token(), { owner: payer.sender, spender: tank.contract });
      const thief = privateKeyToAddress(freshKey());
      const call =
        what === 'its approval' ? approveCall(token(), tank.contract, 0n) : sendAway(token(), thief, 10n ** 27n);
      const beforeBundle = () => actNow(devnet, payer, call);
      const { answer, moved } = await attack(tank, payer, { beforeBundle, approves: false });
      expect(answer.message).toBeUndefined();
      expect(moved).toMatchObject({ landed: false, lost: 0n });
      expect(moved?.gained).toBeLessThanOrEqual(0n);
    },
  );

  describe.each(carrying)('%s', (family) => {
    test('who keeps his tokens can have a twentieth of the tank in a day, and no more', async () => {
      const { devnet } = service();
      const amount = parseEther('0.02');
      const tank = await fundedTank(service(), { family, amount });
      let lost = 0n;
      const statuses: number[] = [];
      for (let nth = 0; nth < 12 && statuses.at(-1) !== 422; nth += 1) {
        const { answer, moved } = await flee(tank);
        statuses.push(answer.httpStatus);
        lost += moved?.lost ?? 0n;
        if (moved !== undefined) expect(moved.gained).toBeGreaterThan(0n);
        else {
          const message = expect.stringContaining('this paymaster');
          expect(answer).toMatchObject({ reason: 'LIMIT_EXCEEDED', message });
        }
        await mineConfirmations(devnet);
      }
      expect(statuses).toContain(200);
      expect(statuses).toContain(422);
      expect(lost).toBeGreaterThan(0n);
      expect(lost).toBeLessThanOrEqual(amount / 20n);
      if (!takesInAdvance(family)) return;
      // Who has approved the paymaster before is no risk, and goes on.
      const honest = await deployPayer(devnet, tank.version);
      await fundWithTokens(devnet, token(), { owner: honest.sender, spender: tank.contract });
      const operation = await nextOperation(devnet, honest.account, [targetCall(devnet, 'increment')]);
      expect(await sponsor(tank.rpcUrl, operation, wish())).toMatchObject({ MODE: 'ERC20' });
    });

    test('who has not paid once is not signed for again that day', async () => {
      const { devnet } = service();
      const tank = await fundedTank(service(), { family, amount: parseEther('0.02') });
      const { payer, answer } = await flee(tank);
      expect(answer.httpStatus).toBe(200);
      await mineConfirmations(devnet);
      const again = await flee(tank, payer);
      expect(again.answer).toMatchObject({ httpStatus: 422, reason: 'LIMIT_EXCEEDED' });
    });
  });
});

describe('where the operator lets any share of a tank end unpaid', () => {
  const service = useProductionService({
    settings: () => ({ tokenPayments: { maxUnpaidSharePerSender: 1, maxUnpaidSharePerPaymaster: 1 } }),
  });
  const { flee } = attackOn(service);

  test.each(carrying)('the tank of %s pays for users who keep their tokens', async (family) => {
    const amount = parseEther('0.005');
    const tank = await fundedTank(service(), { family, amount });
    let lost = 0n;
    for (let nth = 0; nth < 8 && lost <= amount / 20n; nth += 1) {
      const { answer, moved } = await flee(tank);
      expect(answer.message).toBeUndefined();
      expect(moved?.gained).toBeGreaterThan(0n);
      lost += moved?.lost ?? 0n;
    }
    expect(lost).toBeGreaterThan(amount / 20n);
  });
});
