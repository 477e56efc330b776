import { parseUnits } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import {
  approveCall,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { land, landAndCompare } from '../support/chain/chain-landing.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { approve, startWebhookServer } from '../support/servers/webhook-server.ts';
import { askPaymaster, estimated, paymasterFields, withPaymaster } from '../support/service/ask-paymaster.ts';
import { readHolds, readTank } from '../support/service/chain-ledger.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';

let lab: ClientLab;

beforeAll(async () => {
  lab = await openClientLab();
}, 60_000);

afterAll(() => lab.close());

const estimate = { mode: 'SPONSORED', calculateGasLimits: true };

function wayOf(version: EntryPointVersion) {
  return { version, rpcUrl: lab.paymaster(version).rpcUrl };
}

async function setUp(version: EntryPointVersion) {
  const account = newSmartAccount(version);
  const operation = await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]);
  return { way: wayOf(version), account, operation };
}

function heldFor(version: EntryPointVersion, sender: string) {
  const { address, fundingWallet } = lab.paymaster(version);
  return readHolds(lab.service.config.database, address, fundingWallet).filter((hold) => hold.sender === sender);
}

describe.each(entryPointsOfRun)('EntryPoint %s', (version) => {
  test('the stub names the sponsor, holds nothing and is not good for payment', async () => {
    const { way, account, operation } = await setUp(version);
    const { address, fundingWallet, name } = lab.paymaster(version);
    const before = readTank(lab.service.config.database, address, fundingWallet).held;
    const given = await estimated(lab, way, operation);
    const stub = paymasterFields(await askPaymaster(lab, 'pm_getPaymasterStubData', way, { operation: given }));
    expect(stub.sponsor).toStrictEqual({ name });
    expect(readTank(lab.service.config.database, address, fundingWallet).held).toBe(before);
    expect(heldFor(version, operation.sender)).toStrictEqual([]);
    await expect(land(lab.devnet, account, withPaymaster(given, stub))).rejects.toThrow('AA34');
  });

  test('the stub needs no fees, the final data does', async () => {
    const { way, operation } = await setUp(version);
    const known = paymasterFields(await askPaymaster(lab, 'pm_getPaymasterStubData', way, { operation }));
    for (const extra of [
      { maxFeePerGas: undefined, maxPriorityFeePerGas: undefined },
      { maxFeePerGas: null, maxPriorityFeePerGas: '0x' },
      { maxFeePerGas: undefined },
    ]) {
      const answer = await askPaymaster(lab, 'pm_getPaymasterStubData', way, { operation, extra });
      expect(paymasterFields(answer)).toStrictEqual(known);
    }
    const given = await estimated(lab, way, operation);
    const extra = { maxFeePerGas: undefined };
    const answer = await askPaymaster(lab, 'pm_getPaymasterData', way, { operation: given, extra });
    expect(answer).toMatchObject({ code: -32602, reason: 'INVALID_PARAMS', message: 'maxFeePerGas must be a number' });
  });

  test('the final data is as long as the stub, holds the worst case and lands', async () => {
    const { way, account, operation } = await setUp(version);
    const stub = paymasterFields(await askPaymaster(lab, 'pm_getPaymasterStubData', way, { operation }));
    const given = await estimated(lab, way, operation);
    const final = paymasterFields(await askPaymaster(lab, 'pm_getPaymasterData', way, { operation: given }));
    const stubbed = withPaymaster(given, stub).paymasterAndData;
    const signed = withPaymaster(given, final);
    expect(signed.paymasterAndData).toHaveLength(stubbed.length);
    const { sponsor: _, ...fields } = stub;
    expect(Object.keys(final).sort()).toStrictEqual([...Object.keys(fields), 'validUntil'].sort());
    expect(final.validUntil).toBeGreaterThan(Date.now() / 1_000);
    expect(heldFor(version, operation.sender)).toMatchObject([{ state: 'live' }]);
    const landing = await landAndCompare(lab.devnet, account, signed, tokenWith(lab.devnet, 6));
    expect(landing).toMatchObject({ increments: 1n, accountPaid: 0n, tokensPaid: 0n });
    expect(landing.paymasterPaid).toBe(landing.outcome.actualGasCost);
  });

  const named = { smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' } };
  const noLimits = { callGasLimit: undefined, verificationGasLimit: undefined, preVerificationGas: undefined };
  test.each([
    ['are all 0, without a context', null, {}],
    [
      'are all 0, with a context that wants an estimate',
      { ...estimate, expiryDuration: 300, sponsorshipInfo: named },
      {},
    ],
    ['are missing, with an empty context', {}, noLimits],
  ])('limits that %s are estimated and returned, and land', async (_, context, extra) => {
    const { way, account, operation } = await setUp(version);
    const answer = await askPaymaster(lab, 'pm_getPaymasterData', way, { operation, context, extra });
    const landing = await landAndCompare(
      lab.devnet,
      account,
      withPaymaster(operation, paymasterFields(answer)),
      tokenWith(lab.devnet, 6),
    );
    expect(landing.increments).toBe(1n);
    expect(landing.paymasterPaid).toBe(landing.outcome.actualGasCost);
  });

  test('limits that are given are signed and not returned, also when the context asks for an estimate', async () => {
    const { way, account, operation } = await setUp(version);
    const given = await estimated(lab, way, operation);
    const final = paymasterFields(
      await askPaymaster(lab, 'pm_getPaymasterData', way, { operation: given, context: estimate }),
    );
    expect(final.callGasLimit).toBeUndefined();
    expect((await land(lab.devnet, account, withPaymaster(given, final))).success).toBe(true);
  });

  test('limits that are all 0 are refused if the context forbids an estimate', async () => {
    const { way, operation } = await setUp(version);
    const context = { calculateGasLimits: false };
    const answer = await askPaymaster(lab, 'pm_getPaymasterData', way, { operation, context });
    expect(answer).toMatchObject({ httpStatus: 200, code: -32602, reason: 'INVALID_PARAMS' });
    expect(heldFor(version, operation.sender)).toStrictEqual([]);
  });

  test('a token pays, with the stub and the data of its own mode', async () => {
    const account = newSmartAccount(version);
    const token = tokenWith(lab.devnet, 18);
    const spender = lab.paymaster(version).address;
    const calls = [approveCall(token, spender, parseUnits('100', 18)), targetCall(lab.devnet, 'increment')];
    const operation = await nextOperation(lab.devnet, account, calls);
    await mint(lab.devnet, token, operation.sender, parseUnits('100', 18));
    const way = wayOf(version);
    const context = { mode: 'ERC20', calculateGasLimits: true, tokenInfo: { feeTokenAddress: token.address } };
    const stub = paymasterFields(await askPaymaster(lab, 'pm_getPaymasterStubData', way, { operation, context }));
    expect(stub.sponsor).toBeUndefined();
    const final = paymasterFields(await askPaymaster(lab, 'pm_getPaymasterData', way, { operation, context }));
    const landing = await landAndCompare(lab.devnet, account, withPaymaster(operation, final), token);
    expect(landing.increments).toBe(1n);
    expect(landing.tokensPaid).toBeGreaterThan(0n);
    expect(landing.tokenRecipientReceived).toBe(landing.tokensPaid);
  });
});

describe.each(['0.7', '0.8'] as const)("the paymaster's own limits with EntryPoint %s", (version) => {
  const asked = (gas: bigint) => ({ paymasterVerificationGasLimit: `0x${gas.toString(16)}` });

  test.each([1n, 2n])('are those of the client, up to %s times what is needed, and land', async (factor) => {
    const { way, account, operation } = await setUp(version);
    const stub = paymasterFields(await askPaymaster(lab, 'pm_getPaymasterStubData', way, { operation }));
    const wish = (stub.paymasterVerificationGasLimit ?? 0n) * factor;
    const given = await estimated(lab, way, operation);
    const final = paymasterFields(
      await askPaymaster(lab, 'pm_getPaymasterData', way, { operation: given, extra: asked(wish) }),
    );
    expect(final.paymasterVerificationGasLimit).toBe(wish);
    expect((await land(lab.devnet, account, withPaymaster(given, final))).success).toBe(true);
  });

  test('are the needed ones when the client has too little or far too much', async () => {
    const { way, operation } = await setUp(version);
    const stub = paymasterFields(await askPaymaster(lab, 'pm_getPaymasterStubData', way, { operation }));
    const needed = stub.paymasterVerificationGasLimit ?? 0n;
    for (const wish of [0n, needed - 1n, needed * 2n + 1n, 2n ** 100n]) {
      const given = await estimated(lab, way, operation);
      const answer = await askPaymaster(lab, 'pm_getPaymasterData', way, { operation: given, extra: asked(wish) });
      expect(paymasterFields(answer).paymasterVerificationGasLimit).toBe(needed);
    }
  });
});

test('a webhook is asked once: for the data and not for the stub', async () => {
  const server = await startWebhookServer(approve);
  const { authToken } = await lab.service.issueAccount();
  const paymaster = await lab.service.fundedPaymaster(authToken, '0.7', 4);
  const webhook = { webhookUrl: server.url, requestType: 'POST' } as const;
  await lab.service.managementOf(authToken).createWebhook({ apiKey: paymaster.apiKey, ...webhook });
  const way = { version: '0.7', rpcUrl: paymaster.rpcUrl } as const;
  const account = newSmartAccount('0.7');
  const operation = await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]);
  const context = { sponsorshipInfo: { webhookData: { user: 7 } } };
  paymasterFields(await askPaymaster(lab, 'pm_getPaymasterStubData', way, { operation, context }));
  expect(server.received).toHaveLength(0);
  const given = await estimated(lab, way, operation);
  paymasterFields(await askPaymaster(lab, 'pm_getPaymasterData', way, { operation: given, context }));
  expect(server.received.map((received) => JSON.parse(received.body))).toStrictEqual([{ data: { user: 7 } }]);
});
