import { maxUint256, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { devnetFamilies } from '../../clients/cli/dev/devnet/devnet.ts';
import { signUserOperation } from '../../clients/cli/dev/user-operation/build-user-operation.ts';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import {
  approveCall,
  depositOf,
  fillTank,
  fundWithTokens,
  mint,
  nextOperation,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { useService } from '../support/interface/use-service.ts';
import { chooseWallet, openPaymaster } from '../support/service/chain-paymaster.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { freshKey } from '../support/service/running-service.ts';
import { landInOwnBundles } from './own-bundles.ts';
import { actNow, deployPayer, sendAway, type TokenPayer } from './token-payer.ts';

const service = useService();
const owned = parseEther('1');
const token = () => tokenWith(service().devnet, 6);
const wish = () => ({ token: token().address });

describe.each(entryPointVersions)('EntryPoint %s', (version) => {
  const contract = () => service().devnet.paymasterContracts[devnetFamilies[version]];
  const deposit = () => depositOf(service().devnet, version, contract());
  /** A paymaster with so much in its tank. */
  async function tankOf(amount: bigint): Promise<string> {
    const paymaster = await openPaymaster(service(), version);
    const wallet = await walletWith(service().devnet, parseEther('1'));
    await chooseWallet(paymaster, wallet);
    await fillTank(service().devnet, version, wallet, amount);
    return paymaster.rpcUrl;
  }

  /**
   * Has an operation signed with what the account has, takes that away, and bundles it: what his own wallet gains and the
   * tank loses; no gain when the bundle reverts.
   */
  async function attack(payer: TokenPayer, rpcUrl: string, beforeBundle: () => Promise<void>, approves: boolean) {
    const { devnet } = service();
    const approval = approves ? [approveCall(token(), contract(), maxUint256)] : [];
    const operation = await nextOperation(devnet, payer.account, [...approval, targetCall(devnet, 'increment')]);
    const answer = await askSponsorship(rpcUrl, operation, wish());
    if (answer.httpStatus !== 200) return { answer, gain: 0n, loss: 0n };
    const signed = signedAnswer(answer);
    const complete = await signUserOperation(devnet, withAnswer(operation, signed), payer.account.owner);
    await beforeBundle();
    const before = await deposit();
    const wallet = await walletWith(devnet, parseEther('10'));
    const gain = await landInOwnBundles(devnet, { wallet, operations: [complete] }).catch(() => undefined);
    return { answer, gain, loss: before - (await deposit()) };
  }

  test.each(['its approval', 'its tokens'])(
    'who takes %s back before the bundle lands nothing and the tank loses nothing',
    async (what) => {
      const { devnet } = service();
      const payer = await deployPayer(devnet, version);
      await fundWithTokens(devnet, token(), { owner: payer.sender, spender: contract() });
      const rpcUrl = await tankOf(parseEther('1'));
      const thief = privateKeyToAddress(freshKey());
      const call =
        what === 'its approval' ? approveCall(token(), contract(), 0n) : sendAway(token(), thief, 10n ** 27n);
      const { answer, gain, loss } = await attack(payer, rpcUrl, () => actNow(devnet, payer, call), false);
      expect(answer.httpStatus).toBe(200);
      expect(gain).toBeUndefined();
      expect(loss).toBe(0n);
    },
  );

  // There the bundle reverts whatever is part of the operation.
  if (version === '0.6') return;

  test('who approves inside the operation can have a twentieth of the tank in a day, and no more', async () => {
    const { devnet } = service();
    const tank = parseEther('0.02');
    const rpcUrl = await tankOf(tank);
    const thief = privateKeyToAddress(freshKey());
    let lost = 0n;
    const statuses: number[] = [];
    for (let nth = 0; nth < 8 && statuses.at(-1) !== 422; nth += 1) {
      const payer = await deployPayer(devnet, version);
      await mint(devnet, token(), payer.sender, owned);
      const flee = () => actNow(devnet, payer, sendAway(token(), thief, owned));
      const { answer, gain, loss } = await attack(payer, rpcUrl, flee, true);
      statuses.push(answer.httpStatus);
      lost += loss;
      if (answer.httpStatus === 200) expect(gain).toBeGreaterThan(0n);
      else
        expect(answer).toMatchObject({
          reason: 'LIMIT_EXCEEDED',
          message: expect.stringContaining('this paymaster'),
        });
    }
    expect(statuses).toContain(200);
    expect(statuses).toContain(422);
    expect(lost).toBeGreaterThan(0n);
    expect(lost).toBeLessThanOrEqual(tank / 20n);
    // Who has approved the paymaster before is no risk, and goes on.
    const honest = await deployPayer(devnet, version);
    await fundWithTokens(devnet, token(), { owner: honest.sender, spender: contract() });
    const operation = await nextOperation(devnet, honest.account, [targetCall(devnet, 'increment')]);
    expect(await sponsor(rpcUrl, operation, wish())).toMatchObject({ MODE: 'ERC20' });
  });

  test('who has not paid once is not signed for again that day', async () => {
    const { devnet } = service();
    const rpcUrl = await tankOf(parseEther('0.02'));
    const payer = await deployPayer(devnet, version);
    const thief = privateKeyToAddress(freshKey());
    const statuses: number[] = [];
    for (let nth = 0; nth < 2; nth += 1) {
      await mint(devnet, token(), payer.sender, owned);
      const flee = () => actNow(devnet, payer, sendAway(token(), thief, owned));
      statuses.push((await attack(payer, rpcUrl, flee, true)).answer.httpStatus);
    }
    expect(statuses).toEqual([200, 422]);
  });
});
