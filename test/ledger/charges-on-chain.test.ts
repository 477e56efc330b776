import { encodeFunctionData, getAddress, type Hex, parseAbi, parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import type { SignedTerms } from '../../core/evm/paymaster-contracts/family/family.ts';
import { compareLedgerAndChain } from '../../core/ledger/checking/compare-ledger-and-chain.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import { adjustTank } from '../../core/ledger/tanks/adjust-tank.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { startChainWatcher } from '../../core/runtime/chain-watcher.ts';
import { holdRequest, openLedger } from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import {
  approvedAhead,
  type BiconomyLab,
  balanceOf,
  customer,
  type DeployedRow,
  depositFor,
  startBiconomyLab,
} from '../support/paymaster-contracts/biconomy-lab.ts';
import { type BiconomyRow, biconomyTable, openTerms } from '../support/paymaster-contracts/biconomy-table.ts';
import {
  approveAll,
  land,
  mintTo,
  newAccountOperation,
  setDeposit,
  signForBundle,
} from '../support/paymaster-contracts/send-sponsored.ts';

const withdrawAbi = parseAbi([
  'function withdrawTo(address withdrawAddress, uint256 amount)',
  'function executeWithdrawalRequest(address withdrawAddress, uint256 amount)',
]);

const depositToAbi = parseAbi(['function depositTo(address account) payable']);

let lab: BiconomyLab;
let ledger: Awaited<ReturnType<typeof openLedger>>;
let untouched: Hex;
let salt = 1_000n;
beforeAll(async () => {
  lab = await startBiconomyLab();
  untouched = await lab.devnet.client.snapshot();
});
afterAll(() => lab.close());
beforeEach(async () => {
  ledger = await openLedger();
  onTestFinished(ledger.close);
  const { client } = lab.devnet;
  await client.revert({ id: untouched });
  untouched = await client.snapshot();
});

function token() {
  const [, second] = lab.devnet.tokens;
  if (second === undefined) throw new Error('the chain has no token');
  return second.address;
}

/** The row's contract, its addresses written as the service writes them. */
function deployedRow(row: BiconomyRow): DeployedRow {
  const { contract, ...deployed } = lab.row(row);
  const { chainId, address, entryPoint } = contract;
  return { ...deployed, contract: { chainId, address: getAddress(address), entryPoint: getAddress(entryPoint) } };
}

/** Takes everything up to now into the ledger and compares them with the chain. */
async function catchUpAndCheck({ contract, family }: DeployedRow, startBlock = 0n) {
  const client = lab.devnet.client as unknown as ChainClient;
  const { customerFunding: customers, tokenPaymentEvents } = family;
  const watched = {
    address: contract.address,
    ...(customers === undefined ? {} : { customers }),
    ...(tokenPaymentEvents === undefined ? {} : { tokenPaymentEvents }),
  };
  await ensureContractTotals(ledger.store, [contract]);
  let ahead = 0;
  const watcher = startChainWatcher({
    chainId: contract.chainId,
    client,
    nodes: [client],
    watched: [{ entryPoint: contract.entryPoint, contracts: [watched] }],
    confirmations: 0,
    pollIntervalMs: 3_600_000,
    startBlock,
    store: ledger.store,
    clock: { now: () => Date.now() + ahead },
    logger: silentLogger,
  });
  // What no event tells is taken as it is after half a minute.
  const doubt = await watcher.catchUp().then(
    () => undefined,
    (cause: Error) => cause.message,
  );
  ahead = 30_000;
  await watcher.catchUp();
  await watcher.close();
  const report = await compareLedgerAndChain(ledger.store, client, {
    location: contract,
    versions: [],
    ...(customers === undefined ? {} : { customers }),
  });
  return { ...report, doubt };
}

/** Holds an operation's worst case as the service does before it signs. */
async function hold(
  { contract, family }: DeployedRow,
  operation: UserOperationWithGas,
  signedTerms: SignedTerms,
): Promise<void> {
  const tank = { chainId: contract.chainId, contract: contract.address, wallet: customer(lab).address };
  const { sender, nonce } = operation;
  const amount = family.worstCase(operation, signedTerms);
  const request = holdRequest({ tank, amount, sender, nonce, validUntil: 4_000_000_000 });
  const [outcome] = await ledger.store.transaction((transaction) => holdBatch(transaction, [request], 1));
  expect(outcome).toMatchObject({ kind: 'held' });
}

async function send(deployed: DeployedRow, operation: UserOperationWithGas, signedTerms: SignedTerms) {
  return land(lab, operation, await signForBundle(lab, deployed, operation, signedTerms), token());
}

async function newOperation(row: BiconomyRow, deployed: DeployedRow, data: Hex) {
  salt += 1n;
  return newAccountOperation(lab, deployed, { mode: row.mode, salt, target: token(), data });
}

async function asCustomer(deployed: DeployedRow, data: Hex): Promise<void> {
  const { client } = lab.devnet;
  const to = deployed.contract.address;
  const hash = await client.sendTransaction({ account: customer(lab), chain: client.chain, to, data, gas: 200_000n });
  expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success');
}

const keepingBalances = biconomyTable.filter(({ mode, bytes }) => mode === 'SPONSORED' && bytes !== 212);

describe.each(keepingBalances)('the tank of a customer of $name', (row) => {
  test('is the balance that the contract keeps, and the contract’s deposit falls by the cost alone', async () => {
    const deployed = deployedRow(row);
    const wallet = customer(lab).address;
    await depositFor(lab, deployed.contract, parseEther('10'));
    await catchUpAndCheck(deployed);

    const signedTerms = { ...openTerms(row.mode, wallet, token()), ...markupOf(deployed) } as SignedTerms;
    const outcomes = [];
    for (const data of [approveAll(wallet), '0xdeadbeef'] as const) {
      const operation = await newOperation(row, deployed, data);
      await hold(deployed, operation, signedTerms);
      outcomes.push(await send(deployed, operation, signedTerms));
    }
    // The second call reverts, and is paid for all the same.
    expect(outcomes.map(({ success }) => success)).toEqual([true, false]);
    const cost = outcomes.reduce((sum, { actualGasCost }) => sum + actualGasCost, 0n);
    await withdraw(deployed, parseEther('3'));

    const report = await catchUpAndCheck(deployed);
    const balance = await balanceOf(lab, deployed);
    const settled = parseEther('7') - balance;
    expect(settled).not.toBe(cost);
    expect(report).toMatchObject({
      state: 'compared',
      difference: 0n,
      faults: [],
      bookDeposit: parseEther('7') - cost,
      funded: parseEther('7'),
      settled,
      held: 0n,
      margin: settled - cost,
      customerBalances: balance,
      withdrawals: parseEther('3'),
      unexplainedCosts: 0n,
    });
  });

  test('that differs from the balance is named in the report', async () => {
    const deployed = deployedRow(row);
    await depositFor(lab, deployed.contract, 1_000n);
    // The ledger begins after that, so they lack it.
    const startBlock = (await lab.devnet.client.getBlockNumber()) + 1n;
    await depositFor(lab, deployed.contract, 5n);
    const { faults, state } = await catchUpAndCheck(deployed, startBlock);
    expect(state).toBe('compared');
    expect(faults).toEqual([
      `balance of ${customer(lab).address}: ledger 5 wei, contract ${await balanceOf(lab, deployed)} wei`,
    ]);
  });

  test('may be emptied while signatures are out: it is posted, and named as a shortfall', async () => {
    const deployed = deployedRow(row);
    await depositFor(lab, deployed.contract, parseEther('1'));
    await catchUpAndCheck(deployed);
    const signedTerms = {
      ...openTerms(row.mode, customer(lab).address, token()),
      ...markupOf(deployed),
    } as SignedTerms;
    const operation = await newOperation(row, deployed, '0x');
    await hold(deployed, operation, signedTerms);
    await withdraw(deployed, parseEther('1'));
    const held = deployed.family.worstCase(operation, signedTerms);
    expect(await catchUpAndCheck(deployed)).toMatchObject({
      difference: 0n,
      faults: [],
      funded: 0n,
      held,
      shortfall: held,
      customerBalances: 0n,
    });
  });
});

describe.each(keepingBalances)('a deposit for $name that fills no balance', (row) => {
  test('is named with its transaction, its sender and the way back, and what fills a balance is not', async () => {
    const deployed = deployedRow(row);
    const { contract } = deployed;
    await depositFor(lab, contract, parseEther('3'));
    const { client } = lab.devnet;
    const data = encodeFunctionData({ abi: depositToAbi, args: [contract.address] });
    const stray = { to: contract.entryPoint, data, value: parseEther('2') };
    const txHash = await client.sendTransaction({ account: customer(lab), chain: client.chain, ...stray });
    await client.waitForTransactionReceipt({ hash: txHash });

    const report = await catchUpAndCheck(deployed);
    expect(report).toMatchObject({
      difference: 0n,
      faults: [],
      funded: parseEther('3'),
      unattributedDeposits: parseEther('2'),
      strayDeposits: [{ txHash, amount: parseEther('2'), sender: customer(lab).address }],
      strayDepositCount: 1,
    });
    const recovery = row.source === 'Paymasters07' ? `refundBalances([<wallet>], [${parseEther('2')}])` : 'None: ';
    expect(report.strayDeposits[0]?.recovery).toContain(recovery);
  });
});

describe('a deposit that the owner of a contract adds to a balance', () => {
  test('is credited to the tank, and the tank is the balance again', async () => {
    const row = keepingBalances.find(({ source }) => source === 'Paymasters07');
    if (row === undefined) throw new Error('There is no such contract.');
    const deployed = deployedRow(row);
    const { contract } = deployed;
    const { client } = lab.devnet;
    const wallet = customer(lab).address;
    const amount = parseEther('2');
    await depositFor(lab, contract, parseEther('3'));
    const data = encodeFunctionData({ abi: depositToAbi, args: [contract.address] });
    const stray = { to: contract.entryPoint, data, value: amount };
    const txHash = await client.sendTransaction({ account: customer(lab), chain: client.chain, ...stray });
    await client.waitForTransactionReceipt({ hash: txHash });
    const refundFunction = deployed.family.customerFunding?.refundFunction;
    if (refundFunction === undefined) throw new Error('The contract gives nothing back.');
    const { name: functionName } = refundFunction;
    await asCustomer(deployed, encodeFunctionData({ abi: [refundFunction], functionName, args: [[wallet], [amount]] }));

    // No event tells of it, so the ledger knows it from the operator.
    const balance = parseEther('5');
    expect(await catchUpAndCheck(deployed)).toMatchObject({
      doubt: expect.stringContaining(`the balance of ${wallet} is ${balance} wei`),
      faults: [`balance of ${wallet}: ledger ${parseEther('3')} wei, contract ${balance} wei`],
    });
    const tank = { chainId: contract.chainId, contract: contract.address, wallet };
    const credit = { tank, kind: 'credit', amount, reason: 'refunded', forTransaction: txHash } as const;
    await ledger.store.transaction((transaction) => adjustTank(transaction, credit, 1));
    expect(await catchUpAndCheck(deployed)).toMatchObject({
      doubt: undefined,
      difference: 0n,
      faults: [],
      funded: balance,
      customerBalances: balance,
      strayDepositCount: 0,
      unattributedDeposits: 0n,
    });
  });
});

function withdraw(deployed: DeployedRow, amount: bigint): Promise<void> {
  const functionName = deployed.family.entryPointVersion === '0.7' ? 'executeWithdrawalRequest' : 'withdrawTo';
  const args = [lab.devnet.tokenRecipient, amount] as const;
  return asCustomer(deployed, encodeFunctionData({ abi: withdrawAbi, functionName, args }));
}

/** A markup where the contract takes one; below a million it is a discount. */
function markupOf({ family }: DeployedRow) {
  return family.priceMarkups === undefined ? {} : { priceMarkup: family.priceMarkups.min === 1 ? 600_000 : 1_100_000 };
}

describe.each(biconomyTable.filter(({ mode }) => mode === 'ERC20'))('a user who pays $name in tokens', (row) => {
  test('has paid what is noted with the operation, to the base unit', async () => {
    const deployed = deployedRow(row);
    const signedTerms = openTerms(row.mode, customer(lab).address, token());
    await setDeposit(lab, deployed, parseEther('10'));
    let operation = await newOperation(row, deployed, approveAll(deployed.contract.address));
    await mintTo(lab, token(), operation.sender);
    if (deployed.family.entryPointVersion === '0.7') {
      operation = await approvedAhead(lab, operation, token(), deployed.contract.address);
    }
    const { charged, success } = await send(deployed, operation, signedTerms);
    expect(success).toBe(true);
    await catchUpAndCheck(deployed);
    const rows = await ledger.store.db.selectFrom('token_payments').selectAll().execute();
    expect(rows).toMatchObject([{ token: token(), amount: charged.toString(), contract: deployed.contract.address }]);
  });
});
