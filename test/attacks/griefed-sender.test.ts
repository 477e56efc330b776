import { maxUint256, parseEther, parseGwei } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  approveCall,
  fundWithTokens,
  mint,
  newSmartAccount,
  nextOperation,
  type SmartAccount,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { familiesWith } from '../support/paymaster-contracts/families-by-mode.ts';
import { askSponsorship, sponsor, type Wish, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { deployPayer } from './token-payer.ts';

/** Where the stranger asks from, who has no key of any account, and where its users do. */
const stranger = '198.51.100.66';
const home = '203.0.113.5';
/** Fees of every operation, so that what one holds does not depend on the chain's price at the time. */
const price = { maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: parseGwei('1') };

const service = useProductionService();

async function operationOf(account: SmartAccount): Promise<DevUserOperation> {
  const { devnet } = service();
  return { ...(await nextOperation(devnet, account, [targetCall(devnet, 'increment')])), ...price };
}

/** How many operations of someone else's account a stranger gets signed, with nonce keys that the account does not use. */
async function fillOpenHolds({ rpcUrl }: ProductionTank, victim: DevUserOperation, client: string): Promise<number> {
  let signed = 0;
  for (let key = 1n; key <= 12n; key += 1n) {
    const answer = await askSponsorship(rpcUrl, { ...victim, nonce: key << 64n }, { client });
    if (answer.httpStatus === 200) signed += 1;
    else expect(answer).toMatchObject({ httpStatus: 422, reason: 'LIMIT_EXCEEDED' });
  }
  return signed;
}

function roomyTank(version: EntryPointVersion): Promise<ProductionTank> {
  return fundedTank(service(), { family: version, amount: parseEther('10') });
}

describe.each(tabledEntryPoints)('a sender of EntryPoint %s', (version) => {
  test('is signed for while a stranger has ten operations open in its name', async () => {
    const { devnet } = service();
    const tank = await roomyTank(version);
    const account = newSmartAccount(version);
    const operation = await operationOf(account);
    expect(await fillOpenHolds(tank, operation, stranger)).toBe(10);
    const answer = await sponsor(tank.rpcUrl, operation, { client: home });
    expect(await land(devnet, account, withAnswer(operation, answer))).toMatchObject({ success: true });
  });

  test('joins what a stranger holds for its very nonce', async () => {
    const { devnet } = service();
    const tank = await roomyTank(version);
    const account = newSmartAccount(version);
    const taken = await operationOf(account);
    await sponsor(tank.rpcUrl, { ...taken, maxFeePerGas: taken.maxFeePerGas - 1n }, { client: stranger });
    const answer = await sponsor(tank.rpcUrl, taken, { client: home });
    expect(await land(devnet, account, withAnswer(taken, answer))).toMatchObject({ success: true });
  });

  test('is not signed for meanwhile where the stranger asks from its own address', async () => {
    const tank = await roomyTank(version);
    const operation = await operationOf(newSmartAccount(version));
    await fillOpenHolds(tank, operation, home);
    const answer = await askSponsorship(tank.rpcUrl, operation, { client: home });
    expect(answer).toMatchObject({ httpStatus: 422, reason: 'LIMIT_EXCEEDED' });
  });
});

const carrying = familiesWith('ERC20').filter(
  (family) => paymasterContractFamilies.get(family)?.withoutPayment === 'carried',
);

describe.each(carrying)('users of %s who pay in tokens', (family) => {
  const token = () => tokenWith(service().devnet, 6);
  const wishOf = (client: string): Wish => ({ token: token().address, client });
  /** There the approval is part of the operation: with one that stands the tokens are taken first, and nothing is at risk. */
  const approvesInside = paymasterContractFamilies.get(family)?.mostInAdvance !== undefined;

  /** An operation of an account with tokens that pays after its call, which anybody can ask for. */
  async function payingOperation({ version, contract }: ProductionTank): Promise<DevUserOperation> {
    const { devnet } = service();
    const { account, sender } = await deployPayer(devnet, version);
    if (approvesInside) await mint(devnet, token(), sender, 10n ** 15n);
    else await fundWithTokens(devnet, token(), { owner: sender, spender: contract });
    const approval = approvesInside ? [approveCall(token(), contract, maxUint256)] : [];
    return { ...(await nextOperation(devnet, account, [...approval, targetCall(devnet, 'increment')])), ...price };
  }

  /** What one such operation holds, in wei. */
  let hold: bigint;
  beforeAll(async () => {
    const tank = await fundedTank(service(), { family, amount: parseEther('10') });
    await sponsor(tank.rpcUrl, await payingOperation(tank), wishOf(home));
    hold = BigInt((await tank.management.readGasTank({ apiKey: tank.apiKey })).held);
  });

  test('have half of what may end unpaid left while a stranger asks for as much as he can', async () => {
    // A twentieth of the tank, which has room for four operations and a bit.
    const tank = await fundedTank(service(), {
      family,
      amount: hold * 20n * 4n + parseEther('0.005'),
    });
    const operations: DevUserOperation[] = [];
    for (let nth = 0; nth < 3; nth += 1) operations.push(await payingOperation(tank));
    const answers: string[] = [];
    for (const operation of operations) {
      const { reason } = await askSponsorship(tank.rpcUrl, operation, wishOf(stranger));
      answers.push(reason ?? 'signed');
    }
    expect(answers).toEqual(['signed', 'signed', 'LIMIT_EXCEEDED']);
    const [, , third] = operations;
    if (third === undefined) throw new Error('There is no third user.');
    expect(await sponsor(tank.rpcUrl, third, wishOf(home))).toMatchObject({ MODE: 'ERC20' });
  });

  test('have their own hundredth left while a stranger uses it up in their name', async () => {
    const tank = await fundedTank(service(), { family, amount: hold * 150n });
    const operation = await payingOperation(tank);
    const ask = (nonceKey: bigint, client: string) =>
      askSponsorship(
        tank.rpcUrl,
        { ...operation, nonce: nonceKey === 0n ? operation.nonce : nonceKey << 64n },
        wishOf(client),
      );
    expect((await ask(1n, stranger)).httpStatus).toBe(200);
    expect(await ask(2n, stranger)).toMatchObject({ httpStatus: 422, reason: 'LIMIT_EXCEEDED' });
    expect((await ask(0n, home)).httpStatus).toBe(200);
  });
});
