import { type Address, encodeFunctionData, formatEther, type Hex, parseAbi, parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import {
  depositOf,
  fillTank,
  newSmartAccount,
  nextOperation,
  targetCall,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { openTank, type ProductionTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

const amount = parseEther('1');
const refundAbi = parseAbi(['function refundBalances(address[] paymasterIds, uint256[] amounts)']);
const families = [...paymasterContractFamilies.values()].filter(({ modes }) => modes.includes('SPONSORED'));
const keeping = families.filter(({ customerFunding }) => customerFunding !== undefined);
const refunding = keeping.filter(({ customerFunding }) => customerFunding?.refundFunction !== undefined);
const lasting = keeping.filter((family) => !refunding.includes(family));
const plain = families.filter((family) => !keeping.includes(family));

const service = useProductionService();

/** Deposits at the EntryPoint for a tank's contract, as one is used to, and answers the transaction once it is confirmed. */
async function depositAsUsual(tank: ProductionTank, wallet = tank.wallet): Promise<Hex> {
  const { devnet } = service();
  const before = await depositOf(devnet, tank.version, tank.contract);
  await fillTank(devnet, tank.version, wallet, amount, tank.contract);
  const { transactions } = await devnet.client.getBlock();
  expect(await depositOf(devnet, tank.version, tank.contract)).toBe(before + amount);
  await mineConfirmations(devnet);
  return transactions[0] ?? expect.fail('The deposit is in no block.');
}

const tankOf = ({ management, apiKey }: ProductionTank) => management.readGasTank({ apiKey });

/** The tank as it is told once the ledger has the deposit that is in none. */
async function strayOf(tank: ProductionTank) {
  const read = async () => (await tankOf(tank)).strayDeposits?.length;
  await expect.poll(read, { timeout: 20_000, interval: 50 }).toBe(1);
  const reported = await tankOf(tank);
  return { reported, stray: reported.strayDeposits?.[0] ?? expect.fail('There is no such deposit.') };
}

async function operationOf({ version }: ProductionTank) {
  const { devnet } = service();
  const account = newSmartAccount(version);
  return { account, operation: await nextOperation(devnet, account, [targetCall(devnet, 'increment')]) };
}

describe.each(keeping.map(({ name }) => name))('depositTo for %s, which keeps balances of its customers', (family) => {
  test('fills no tank: account holder and operator are told of it, with the way back', async () => {
    const tank = await openTank(service(), { family });
    const txHash = await depositAsUsual(tank);
    const { reported, stray } = await strayOf(tank);
    expect(reported).toMatchObject({ funded: '0', available: '0', filling: { from: 'anybody' } });
    expect(reported.filling?.call).toBe(`depositFor(${tank.wallet.address})`);
    expect(stray).toMatchObject({ txHash, amount: String(amount) });
    expect(stray.recovery).toContain('Only depositFor fills a balance');

    const shown = await service().manage(tank.apiKey, 'tank', 'show');
    expect(shown).toContain(`in no tank     ${formatEther(amount)} ether of transaction ${txHash}`);
    expect(shown).toContain(stray.recovery);
    expect(shown).toContain(`fill it with   depositFor(${tank.wallet.address})`);
    expect(await service().operate('ledger', 'check')).toContain(txHash);

    const { operation } = await operationOf(tank);
    expect(await askSponsorship(tank.rpcUrl, operation)).toMatchObject({ reason: 'INSUFFICIENT_FUNDS' });
  });
});

test.each(refunding.map(({ name }) => name))(
  'what came to %s so comes back by the way that is named',
  async (family) => {
    const { devnet, operate } = service();
    const tank = await openTank(service(), { family });
    const txHash = await depositAsUsual(tank);
    const { stray } = await strayOf(tank);
    expect(stray.recovery).toContain(`refundBalances([${tank.wallet.address}], [${amount}])`);
    const args = [[tank.wallet.address], [amount]] as const;
    const data = encodeFunctionData({ abi: refundAbi, functionName: 'refundBalances', args });
    // Its owner's alone in the real contract.
    const owner = await walletWith(devnet, parseEther('1'));
    await sendInOrder(devnet.client, owner, [{ description: 'a refund', to: tank.contract, data, gas: 300_000n }]);
    await mineConfirmations(devnet);
    const credit = [
      'tank',
      'credit',
      '1 ether',
      '--paymaster',
      tank.paymasterId,
      '--for',
      txHash,
      '--reason',
      'refunded',
    ];
    expect(await operate(...credit)).toContain('Credited');
    await expect(operate(...credit)).rejects.toThrow('missing in every tank');
    const available = async () => (await tankOf(tank)).available;
    await expect.poll(available, { timeout: 20_000, interval: 100 }).toBe(String(amount));
    expect(await tankOf(tank)).not.toHaveProperty('strayDeposits');
    const { account, operation } = await operationOf(tank);
    const answer = await sponsor(tank.rpcUrl, operation);
    expect(await land(devnet, account, withAnswer(operation, answer))).toMatchObject({ success: true });
  },
);

test.each(lasting.map(({ name }) => name))(
  'what came to %s so has no way back, and no credit is made of it',
  async (family) => {
    const tank = await openTank(service(), { family });
    const txHash = await depositAsUsual(tank);
    const { stray } = await strayOf(tank);
    expect(stray.recovery).toContain('has no function to return it');
    const credit = [
      'tank',
      'credit',
      '1 ether',
      '--paymaster',
      tank.paymasterId,
      '--for',
      txHash,
      '--reason',
      'please',
    ];
    await expect(service().operate(...credit)).rejects.toThrow('cannot be credited');
    expect((await tankOf(tank)).available).toBe('0');
  },
);

describe.each(plain.map(({ name }) => name))('a deposit for %s from a wallet that is not the paymaster’s', (family) => {
  test('is in the tank of that wallet: of no use to this paymaster, until the wallet itself is chosen', async () => {
    const { devnet } = service();
    const tank = await openTank(service(), { family });
    const other = await walletWith(devnet, parseEther('5'));
    await depositAsUsual(tank, other);
    const { operation } = await operationOf(tank);
    expect(await askSponsorship(tank.rpcUrl, operation)).toMatchObject({ reason: 'INSUFFICIENT_FUNDS' });
    expect(await tankOf(tank)).toMatchObject({ funded: '0', available: '0', filling: { from: 'funding-wallet' } });

    const { management, apiKey, paymasterId } = tank;
    const { fundingMessage } = await management.createFundingMessage({ apiKey, paymasterId });
    // A stranger cannot name it: he has no signature of it.
    const signature = await tank.wallet.signMessage({ message: fundingMessage });
    const stolen = { apiKey, paymasterId, signature, address: other.address as Address };
    await expect(management.setFundingWallet(stolen)).rejects.toThrow();
    const own = await management.createFundingMessage({ apiKey, paymasterId });
    const signed = await other.signMessage({ message: own.fundingMessage });
    await management.setFundingWallet({ ...stolen, signature: signed });
    expect(await tankOf(tank)).toMatchObject({ available: String(amount) });
  });
});
