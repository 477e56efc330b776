import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  fillTank,
  newSmartAccount,
  nextOperation,
  plainLimits,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askQuotes, askSponsorship, sponsor } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

/** Our clock, which a test may set ahead of the machine's. */
let aheadMs = 0;
const unavailable = { httpStatus: 503, code: -32018, reason: 'CHAIN_UNAVAILABLE' };
const patience = { timeout: 10_000 };

let service: RunningService;
let paymaster: LabPaymaster;
let operation: DevUserOperation;

beforeAll(async () => {
  service = await startService({
    ownNode: true,
    clock: { now: () => Date.now() + aheadMs },
    configure: (config) => ({
      ...config,
      chains: config.chains.map((chain) => ({ ...chain, callTimeoutMs: 300 })),
    }),
  });
  const { devnet } = service;
  paymaster = await openPaymaster(service, '0.7');
  const wallet = await walletWith(devnet, 0n);
  await chooseWallet(paymaster, wallet);
  await fillTank(devnet, '0.7', wallet, parseEther('1'));
  operation = await nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'increment')]);
});
afterAll(() => service.close());

function signalNode(signal: NodeJS.Signals): void {
  const { pid } = service.devnet;
  if (pid === undefined) throw new Error('The node was not started here.');
  process.kill(pid, signal);
}

/** A signal is sent at once and reaches the process when it reaches it. */
async function untilNodeHangs(): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
  const headers = { 'content-type': 'application/json' };
  await vi.waitFor(async () => {
    const asked = fetch(service.devnet.rpcUrl, { method: 'POST', headers, body, signal: AbortSignal.timeout(500) });
    await expect(asked).rejects.toThrow('timeout');
  }, patience);
}

async function readyStatus(): Promise<number> {
  return (await fetch(`${service.adminUrl}/readyz`)).status;
}

/** The operation with limits of its own. */
function withLimits(): DevUserOperation {
  return { ...operation, ...plainLimits('undeployed') };
}

test('while the node hangs nothing is signed on what is not known, and it goes on by itself afterwards', async () => {
  const token = tokenWith(service.devnet, 6).address;
  expect((await sponsor(paymaster.rpcUrl, operation)).MODE).toBe('SPONSORED');
  signalNode('SIGSTOP');
  try {
    await untilNodeHangs();
    expect(await askSponsorship(paymaster.rpcUrl, operation)).toMatchObject(unavailable);
    expect(await askQuotes(paymaster.rpcUrl, operation, { token })).toMatchObject(unavailable);
    expect(await askSponsorship(paymaster.rpcUrl, operation, { token })).toMatchObject(unavailable);
    // What was seen of the chain is used for half a minute and then no more, limits or not.
    aheadMs += 31_000;
    expect(await askSponsorship(paymaster.rpcUrl, withLimits(), { calculateGasLimits: false })).toMatchObject(
      unavailable,
    );
    expect(await readyStatus()).toBe(503);
  } finally {
    signalNode('SIGCONT');
  }
  await vi.waitFor(async () => expect(await readyStatus()).toBe(200), patience);
  // What was asked while it hung may still be answered first.
  await vi.waitFor(async () => expect((await sponsor(paymaster.rpcUrl, operation)).MODE).toBe('SPONSORED'), patience);
});

test('with the node dead every request that needs the chain is answered with CHAIN_UNAVAILABLE', async () => {
  signalNode('SIGKILL');
  expect(await askSponsorship(paymaster.rpcUrl, operation)).toMatchObject(unavailable);
  aheadMs += 31_000;
  const token = tokenWith(service.devnet, 18).address;
  const given = { calculateGasLimits: false };
  expect(await askSponsorship(paymaster.rpcUrl, withLimits(), given)).toMatchObject(unavailable);
  expect(await askSponsorship(paymaster.rpcUrl, withLimits(), { ...given, token })).toMatchObject(unavailable);
  expect(await askQuotes(paymaster.rpcUrl, withLimits(), { ...given, token })).toMatchObject(unavailable);
  expect(await readyStatus()).toBe(503);
  expect((await fetch(`${service.adminUrl}/livez`)).status).toBe(200);
});

test('with the node dead what needs no chain is still decided', async () => {
  const foreign = { ...operation, callData: '0xdeadbeef' } as const;
  expect(await askSponsorship(paymaster.rpcUrl, foreign)).toMatchObject({ reason: 'CALL_NOT_UNDERSTOOD' });
  const unknown = service.rpcUrl(`${paymaster.apiKey.slice(0, -1)}x`);
  expect(await askSponsorship(unknown, operation)).toMatchObject({ httpStatus: 401, reason: 'UNAUTHORIZED' });
});
