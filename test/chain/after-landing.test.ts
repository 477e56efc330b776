import { EventEmitter, once } from 'node:events';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import {
  approveCall,
  fundWithTokens,
  mint,
  newSmartAccount,
  nextOperation,
  plainLimits,
  setTokenBalance,
  targetCall,
  tokenBalance,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { land, landAndCompare } from '../support/chain/chain-landing.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { startWebhookServer } from '../support/servers/webhook-server.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';

/** How far the service's clock is ahead of the machine's, in milliseconds. */
let ahead = 0;
let service: RunningService;
beforeAll(async () => {
  service = await startService({
    clock: { now: () => Date.now() + ahead },
    configure: (config) => ({ ...config, validity: { ...config.validity, minSeconds: 30 } }),
  });
});
afterAll(() => service.close());

const patience = { timeout: 10_000 };

describe.each(tabledEntryPoints)('EntryPoint %s', (version) => {
  async function newPaymaster() {
    const { authToken } = await service.issueAccount();
    const paymaster = await service.fundedPaymaster(authToken, version);
    const { apiKey } = paymaster;
    return { ...paymaster, client: createManagementClient({ baseUrl: service.url, authToken, apiKey }) };
  }

  test('an operation that landed is told to who listens, and its decision says what it cost', async () => {
    const { rpcUrl, client } = await newPaymaster();
    await client.setPolicy({ policy: { sponsorAllCalls: true, allowRevertingOperations: true } });
    const reported = new EventEmitter();
    const receiver = await startWebhookServer((response, { body }) => {
      response.end();
      const event = JSON.parse(body);
      reported.emit(event.type, event);
    });
    const events = ['operation.settled', 'operation.failed', 'operation.diverged'] as const;
    await client.createNotification({ url: receiver.url, events: [...events] });

    const account = newSmartAccount(version);
    for (const [call, event, success] of [
      ['increment', 'operation.settled', true],
      ['fail', 'operation.failed', false],
    ] as const) {
      const message = once(reported, event);
      const built = await nextOperation(service.devnet, account, [targetCall(service.devnet, call)]);
      const asked = await askSponsorship(rpcUrl, built);
      const outcome = await land(service.devnet, account, withAnswer(built, signedAnswer(asked)));
      const [{ data }] = await message;
      const cost = outcome.actualGasCost.toString();
      expect(data).toMatchObject({ sender: built.sender, actualGasCost: cost, charge: cost, success });

      const { decisions } = await client.listDecisions({ sender: built.sender, limit: 1 });
      const [decision] = decisions;
      expect(decision).toMatchObject({
        outcome: 'signed',
        settlement: { state: 'settled', charge: cost, success, txHash: data.txHash },
      });
      expect(decision?.trace.map(({ verdict }) => verdict)).not.toContain('refused');
    }
    // It was known to fail, and paid for all the same.
    const { deliveries } = await client.listNotificationDeliveries();
    expect(deliveries.map(({ type }) => type).toSorted()).toEqual(['operation.failed', 'operation.settled']);
  });

  test('a decision in token mode says what the user paid, next to what it cost', async () => {
    const { rpcUrl, client, address } = await newPaymaster();
    const token = tokenWith(service.devnet, 6);
    const account = newSmartAccount(version);
    const calls = [approveCall(token, address, 10n ** 12n), targetCall(service.devnet, 'increment')];
    const built = await nextOperation(service.devnet, account, calls);
    await mint(service.devnet, token, built.sender, 10n ** 12n);
    const signed = await sponsor(rpcUrl, built, { token: token.address });
    const landing = await landAndCompare(service.devnet, account, withAnswer(built, signed), token);
    expect(landing.tokensPaid).toBeGreaterThan(0n);
    await vi.waitFor(async () => {
      const [decision] = (await client.listDecisions({ sender: built.sender, limit: 1 })).decisions;
      expect(decision?.settlement).toMatchObject({
        charge: landing.outcome.actualGasCost.toString(),
        tokenPayment: { token: token.address, amount: landing.tokensPaid.toString() },
      });
    }, patience);
  });

  test('tokens go to the token recipient that the paymaster names', async () => {
    const { rpcUrl, client, address } = await newPaymaster();
    const { devnet } = service;
    const tokenRecipient = privateKeyToAddress(freshKey());
    await client.setPolicy({ policy: { tokens: { tokenRecipient } } });
    const token = tokenWith(devnet, 6);
    const account = newSmartAccount(version);
    const built = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    await fundWithTokens(devnet, token, { owner: built.sender, spender: address });
    const signed = await sponsor(rpcUrl, built, { token: token.address });
    const landing = await landAndCompare(devnet, account, withAnswer(built, signed), token);
    expect(landing.outcome.success).toBe(true);
    expect(landing.tokensPaid).toBeGreaterThan(0n);
    expect(await tokenBalance(devnet, token, tokenRecipient)).toBe(landing.tokensPaid);
    expect(landing.tokenRecipientReceived).toBe(0n);
    await vi.waitFor(async () => {
      const [decision] = (await client.listDecisions({ sender: built.sender, limit: 1 })).decisions;
      expect(decision?.settlement?.state).toBe('settled');
    }, patience);
  });

  test('the same request gets the same signature while its hold lives, and another one after it', async () => {
    const { rpcUrl, client } = await newPaymaster();
    const account = newSmartAccount(version);
    const operation = {
      ...(await nextOperation(service.devnet, account, [targetCall(service.devnet, 'increment')])),
      ...plainLimits('undeployed'),
    };
    const ask = (calculateGasLimits: boolean) => sponsor(rpcUrl, operation, { calculateGasLimits, expiryDuration: 30 });
    const given = await ask(false);
    const estimated = await ask(true);
    const { held } = await client.readGasTank();
    ahead += 15_000;
    expect(await ask(false)).toEqual(given);
    expect(await ask(true)).toEqual(estimated);
    expect((await client.readGasTank()).held).toBe(held);
    ahead += 10_000;
    expect((await ask(false)).paymasterAndData).not.toBe(given.paymasterAndData);
  });

  // There the bundle reverts.
  if (version === '0.6') return;

  test('an operation that its user has not paid is told, and its decision says so', async () => {
    const { rpcUrl, client, address } = await newPaymaster();
    const reported = new EventEmitter();
    const receiver = await startWebhookServer((response, { body }) => {
      response.end();
      reported.emit('message', JSON.parse(body));
    });
    await client.createNotification({ url: receiver.url, events: ['payment.failed'] });
    const token = tokenWith(service.devnet, 6);
    const account = newSmartAccount(version);
    const calls = [approveCall(token, address, 10n ** 12n), targetCall(service.devnet, 'increment')];
    const built = await nextOperation(service.devnet, account, calls);
    await setTokenBalance(service.devnet, token, { owner: built.sender, amount: 10n ** 12n });
    const signed = await sponsor(rpcUrl, built, { token: token.address });
    await setTokenBalance(service.devnet, token, { owner: built.sender, amount: 0n });
    const message = once(reported, 'message');
    const outcome = await land(service.devnet, account, withAnswer(built, signed));
    expect(outcome.success).toBe(false);
    const charge = outcome.actualGasCost.toString();
    const [failed] = await message;
    expect(failed).toMatchObject({ type: 'payment.failed', data: { sender: built.sender, charge } });
    const [decision] = (await client.listDecisions({ sender: built.sender, limit: 1 })).decisions;
    expect(decision?.settlement).toMatchObject({ state: 'settled', charge, unpaid: true });
  });
});
