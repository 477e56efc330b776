import { expect, onTestFinished, test } from 'vitest';
import type { Core } from '../../core/domain/core.ts';
import type { LedgerReport } from '../../core/domain/ledger-report.ts';
import { accept } from '../../core/domain/result/result.ts';
import { startGrpcServer } from '../../core/grpc/server.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { createFakeCore, refusal } from '../support/gateway/fake-core.ts';
import { startTestGateway } from '../support/gateway/start-test-gateway.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { makeSocketAddress } from '../support/servers/make-socket-path.ts';

const sound: LedgerReport = {
  state: 'compared',
  chainId: 1,
  contract: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  atBlock: 12n,
  chainDeposit: 100n,
  bookDeposit: 100n,
  difference: 0n,
  unattributedDeposits: 0n,
  strayDeposits: [],
  strayDepositCount: 0,
  idleTanks: [],
  idleTankCount: 0,
  withdrawals: 0n,
  unexplainedCosts: 0n,
  funded: 100n,
  settled: 0n,
  held: 0n,
  shortfall: 0n,
  margin: 0n,
  rowsReadAt: 1_800_000_000,
  faults: [],
};

async function check(checkLedger: Core['checkLedger']) {
  const core = createFakeCore({ checkLedger });
  const server = await startGrpcServer({ core, address: makeSocketAddress(), reflection: false, logger: silentLogger });
  onTestFinished(() => server.close());
  return runInPlace(['ledger', 'check', '--core', server.address]);
}

test.each([
  ['a difference', { chainDeposit: 93n, difference: -7n }, '(-7 wei)'],
  ['a fault', { faults: ['held on the contract: kept 1 wei, added up 0 wei'] }, 'held on the contract: kept 1 wei'],
] as const)('%s in one of two contracts is printed and ends the check with 1', async (_, wrong, printed) => {
  const { code, stdout, stderr } = await check(async () => accept([sound, { ...sound, chainId: 2, ...wrong }]));
  expect(code).toBe(1);
  expect(stdout).toContain('chain 1, contract 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0, block 12: adds up\n');
  expect(stdout).toContain('block 12: DOES NOT ADD UP\n');
  expect(stdout).toContain(printed);
  expect(stderr).toContain('1 of 2 paymaster contracts');
});

test('a contract whose chain cannot be read is named, the others are checked, and the check ends with 1', async () => {
  const { chainDeposit: _deposit, difference: _difference, ...sums } = sound;
  const unreachable: LedgerReport = { ...sums, chainId: 2, state: 'unreachable' };
  const { code, stdout, stderr } = await check(async () => accept([sound, unreachable]));
  expect(code).toBe(1);
  expect(stdout).toContain('block 12: adds up\n');
  expect(stdout).toContain('block 12: CHAIN UNREACHABLE\n');
  expect(stderr).toBe('tollfree: The chain of 1 of 2 paymaster contracts could not be read; try again.\n');
});

test('what customers were charged above the cost, and took out though it was held, has lines of its own', async () => {
  const report: LedgerReport = { ...sound, margin: 15n, shortfall: 7n, customerBalances: 85n };
  const { code, stdout } = await check(async () => accept([report]));
  expect(code).toBe(0);
  for (const line of [
    /charged above the cost +\S+ ether \(15 wei\)/,
    /held but withdrawn +\S+ ether \(7 wei\)/,
    /customer balances +\S+ ether \(85 wei\)/,
  ]) {
    expect(stdout).toMatch(line);
  }
});

test('a refusal of the core fails the check', async () => {
  const answer = await check(async () => refusal('CHAIN_UNAVAILABLE', { message: 'Chain 1 could not be read' }));
  expect(answer).toEqual({ code: 1, stdout: '', stderr: 'tollfree: Chain 1 could not be read\n' });
});

test('metrics have no difference of a contract whose chain cannot be read, and say so', async () => {
  const { chainDeposit: _deposit, difference: _difference, ...sums } = sound;
  const unreachable: LedgerReport = { ...sums, chainId: 2, state: 'unreachable' };
  const readLedgerStates = async () => accept([sound, unreachable]);
  const { adminUrl } = await startTestGateway({ core: { readLedgerStates }, clock: { now: () => 1_000 } });
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const samples = text.split('\n').filter((line) => /^tollfree_ledger_(difference|unreachable|block)/.test(line));
  const labels = (chain: number) => `{chain="${chain}",contract="0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0"}`;
  expect(samples).toEqual([
    `tollfree_ledger_difference_wei${labels(1)} 0`,
    `tollfree_ledger_unreachable${labels(1)} 0`,
    `tollfree_ledger_unreachable${labels(2)} 1`,
    `tollfree_ledger_block${labels(1)} 12`,
    `tollfree_ledger_block${labels(2)} 12`,
  ]);
});

test('metrics leave the ledger out when it cannot be read, and ask for it once in 15 seconds', async () => {
  let now = 1_000_000;
  let asked = 0;
  const answers: Awaited<ReturnType<Core['readLedgerStates']>>[] = [
    accept([{ ...sound, difference: -7n, held: 5n }]),
    refusal('CHAIN_UNAVAILABLE'),
  ];
  const readLedgerStates = async () => answers[asked++] ?? Promise.reject(new Error('the core is gone'));
  const { adminUrl } = await startTestGateway({ core: { readLedgerStates }, clock: { now: () => now } });
  const samples = async () => {
    const response = await fetch(`${adminUrl}/metrics`);
    expect(response.status).toBe(200);
    return (await response.text()).split('\n').filter((line) => /^tollfree_(ledger|gas_tank)_.*_wei/.test(line));
  };
  const labels = '{chain="1",contract="0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0"}';
  const known = [`tollfree_ledger_difference_wei${labels} -7`, `tollfree_gas_tank_held_wei${labels} 5`];
  expect(await samples()).toEqual(known);
  now += 14_999;
  expect(await samples()).toEqual(known);
  expect(asked).toBe(1);
  now += 1;
  expect(await samples()).toEqual([]);
  now += 15_000;
  expect(await samples()).toEqual([]);
  expect(asked).toBe(3);
});
