import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import {
  approveCall,
  fillTank,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { landAndCompare } from '../support/chain/chain-landing.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, openPaymaster } from '../support/service/chain-paymaster.ts';
import { maximumOf, quoteFor, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ handle: 'grpc' });
});
afterAll(() => service.close());

test('with gRPC between gateway and core, sponsored and token-paid operations land and are settled', async () => {
  const { devnet } = service;
  const address = devnet.paymasterContracts[devnetFamilies['0.8']];
  const token = tokenWith(devnet, 18);
  const wallet = await walletWith(devnet, 0n);
  const { rpcUrl, ...paymaster } = await openPaymaster(service, '0.8');
  await chooseWallet({ rpcUrl, ...paymaster }, wallet);
  await fillTank(devnet, '0.8', wallet, parseEther('1'));
  const account = newSmartAccount('0.8');

  const sponsored = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  const first = await landAndCompare(devnet, account, withAnswer(sponsored, await sponsor(rpcUrl, sponsored)), token);
  expect(first).toMatchObject({ accountPaid: 0n, tokensPaid: 0n, increments: 1n, outcome: { success: true } });
  expect(first.paymasterPaid).toBe(first.outcome.actualGasCost);

  await mint(devnet, token, sponsored.sender, parseEther('100'));
  const calls = (max: bigint) => [approveCall(token, address, max), targetCall(devnet, 'increment')];
  const wish = { token: token.address };
  const max = maximumOf(await quoteFor(rpcUrl, await nextOperation(devnet, account, calls(1n)), wish));
  const paid = await nextOperation(devnet, account, calls(max));
  const second = await landAndCompare(devnet, account, withAnswer(paid, await sponsor(rpcUrl, paid, wish)), token);
  expect(second).toMatchObject({ accountPaid: 0n, increments: 1n, outcome: { success: true } });
  expect(second.tokenRecipientReceived).toBe(second.tokensPaid);
  expect(second.tokensPaid).toBeGreaterThan(0n);
  expect(second.tokensPaid).toBeLessThanOrEqual(max);

  const settled = first.outcome.actualGasCost + second.outcome.actualGasCost;
  const expected = { funded: parseEther('1'), settled, held: 0n };
  await vi.waitFor(() => expect(readTank(service.config.database, address, wallet.address)).toEqual(expected), {
    timeout: 10_000,
  });
});
