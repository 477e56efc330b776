import { type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  fundWithTokens,
  newSmartAccount,
  nextOperation,
  type SmartAccount,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { landAndCompare } from '../support/chain/chain-landing.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import {
  askPaymaster,
  estimated,
  type PaymasterFields,
  paymasterFields,
  withPaymaster,
} from '../support/service/ask-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab();
}, 60_000);
afterAll(() => lab.close());

const noError = { httpStatus: 200, code: undefined, reason: undefined, message: undefined };

const packedVersions = ['0.7', '0.8', '0.9'] as const;

function wayOf(version: EntryPointVersion) {
  return { version, rpcUrl: lab.paymaster(version).rpcUrl };
}

async function setUp(version: EntryPointVersion) {
  const account = newSmartAccount(version);
  return { account, operation: await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]) };
}

/** `pm_sponsorUserOperation` in Pimlico's form; `extra` goes into the operation. */
async function askPimlico(
  version: EntryPointVersion,
  operation: DevUserOperation,
  extra: object = {},
  context: object | null = null,
): Promise<PaymasterFields> {
  const params = [{ ...toRpcUserOperation(operation), ...extra }, lab.devnet.entryPoints[version], context];
  return paymasterFields(await askRpc(wayOf(version).rpcUrl, 'pm_sponsorUserOperation', params));
}

function withFields(operation: DevUserOperation, fields: PaymasterFields): DevUserOperation {
  const { callGasLimit = 0n, verificationGasLimit = 0n, preVerificationGas = 0n } = fields;
  return withPaymaster({ ...operation, callGasLimit, verificationGasLimit, preVerificationGas }, fields);
}

async function expectLands(account: SmartAccount, operation: DevUserOperation): Promise<void> {
  const landing = await landAndCompare(lab.devnet, account, operation, tokenWith(lab.devnet, 6));
  expect(landing).toMatchObject({ accountPaid: 0n, increments: 1n, outcome: { success: true } });
}

/**
 * The client of the `thirdweb` package: it asks with limits of 0, takes the five answered ones only if none of them is 0, and else estimates
 * itself and asks again.
 */
test.each(packedVersions)(
  'thirdweb’s request is answered with five limits above 0 and lands, EntryPoint %s',
  async (version) => {
    const { account, operation } = await setUp(version);
    const none: Record<string, Hex> = Object.fromEntries(
      [
        'callGasLimit',
        'verificationGasLimit',
        'preVerificationGas',
        'paymasterVerificationGasLimit',
        'paymasterPostOpGasLimit',
      ].map((name) => [name, '0x0']),
    );
    const fields = await askPimlico(version, operation, { ...none, paymasterData: '0x' });
    const { callGasLimit, verificationGasLimit, preVerificationGas } = fields;
    const limits = [callGasLimit, verificationGasLimit, preVerificationGas];
    const ofPaymaster = [fields.paymasterVerificationGasLimit, fields.paymasterPostOpGasLimit];
    for (const limit of [...limits, ...ofPaymaster]) expect(limit).toBeGreaterThan(0n);
    await expectLands(account, withFields(operation, fields));
  },
);

describe.each(rowsOfRun(entryPointVersions, 2))('Pimlico’s form, EntryPoint %s', (version) => {
  test('keeps given limits that suffice and are near the need, and the operation lands with them', async () => {
    const { account, operation } = await setUp(version);
    const own = await askPimlico(version, operation);
    const given = {
      callGasLimit: ((own.callGasLimit ?? 0n) * 3n) / 2n,
      verificationGasLimit: ((own.verificationGasLimit ?? 0n) * 3n) / 2n,
      preVerificationGas: (own.preVerificationGas ?? 0n) + 100n,
    };
    const sent = Object.fromEntries(Object.entries(given).map(([name, limit]) => [name, numberToHex(limit)]));
    const { nonce: _, ...rest } = operation;
    const next = { ...rest, nonce: operation.nonce + (1n << 64n) };
    const fields = await askPimlico(version, next, sent);
    expect(fields).toMatchObject(given);
    await expectLands(account, withFields(next, fields));
  });

  test('lowers what is far above the need and raises what does not suffice', async () => {
    const { account, operation } = await setUp(version);
    const sent = { callGasLimit: numberToHex(3_000_000n), verificationGasLimit: '0x1', preVerificationGas: '0x1' };
    const fields = await askPimlico(version, operation, sent);
    expect(fields.callGasLimit).toBeLessThan(100_000n);
    expect(fields.verificationGasLimit).toBeGreaterThan(10_000n);
    expect(fields.preVerificationGas).toBeGreaterThan(40_000n);
    await expectLands(account, withFields(operation, fields));
  });
});

describe.each(rowsOfRun(entryPointVersions, 2))('a client’s round numbers, EntryPoint %s', (version) => {
  const limits = { callGasLimit: 300_000n, verificationGasLimit: 400_000n, preVerificationGas: 60_000n };

  test('are lowered where the answer has the limits that were signed', async () => {
    const { account, operation } = await setUp(version);
    const answer = await sponsor(wayOf(version).rpcUrl, { ...operation, ...limits }, { calculateGasLimits: false });
    expect(answer.callGasLimit).toBeLessThan(100_000n);
    await expectLands(account, withAnswer(operation, answer));
  });

  test('are refused where it does not, and where preVerificationGas is too high', async () => {
    const { account, operation } = await setUp(version);
    await expectLands(account, withFields(operation, await askPimlico(version, operation)));
    const next = await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]);
    const given = await estimated(lab, wayOf(version), next);
    const round = { ...given, callGasLimit: 300_000n };
    const answer = await askPaymaster(lab, 'pm_getPaymasterData', wayOf(version), { operation: round });
    expect(answer).toMatchObject({ reason: 'LIMIT_EXCEEDED', message: expect.stringContaining('callGasLimit') });
    const paid = { ...given, preVerificationGas: 500_000n };
    expect(await askSponsorship(wayOf(version).rpcUrl, paid, { calculateGasLimits: false })).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('preVerificationGas'),
    });
  });
});

/** Contexts of Arka, Etherspot's paymaster. */
describe.each(packedVersions)('Arka’s contexts, EntryPoint %s', (version) => {
  test.each(['sponsor', 'erc20'])('mode %s lands', async (mode) => {
    const { account, operation } = await setUp(version);
    const token = tokenWith(lab.devnet, 6);
    const spender = lab.paymaster(version).address;
    await fundWithTokens(lab.devnet, token, { owner: operation.sender, spender });
    const context = mode === 'sponsor' ? { mode } : { mode, token: token.address };
    const fields = await askPimlico(version, operation, {}, context);
    const landing = await landAndCompare(lab.devnet, account, withFields(operation, fields), token);
    expect(landing).toMatchObject({ accountPaid: 0n, increments: 1n, outcome: { success: true } });
    expect(landing.tokensPaid > 0n).toBe(mode === 'erc20');
  });
});

describe('Etherspot’s clients', () => {
  /** The signature with which both ask. */
  const dummy = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`;
  const post = async (body: object) => {
    const response = await fetch(wayOf('0.7').rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { result?: Record<string, Hex>; error?: { code: number; message: string } };
  };
  const paramsOf = (operation: DevUserOperation) => {
    const { paymaster: _, paymasterData: __, ...sent } = toRpcUserOperation(operation);
    return [{ ...sent, signature: dummy }, lab.devnet.entryPoints['0.7'], { mode: 'sponsor' }];
  };

  test('the request of @etherspot/modular-sdk 6.1.1 is answered with all that it takes, and lands', async () => {
    const { account, operation } = await setUp('0.7');
    const given = { ...operation, callGasLimit: 35_000n, verificationGasLimit: 70_000n, preVerificationGas: 50_000n };
    const body = { method: 'pm_sponsorUserOperation', params: paramsOf(given), jsonrpc: '2', id: 2 };
    const { result, error } = await post(body);
    expect(error).toBeUndefined();
    await expectLands(account, withFields(operation, paymasterFields({ ...noError, result })));
  });

  test('the request of @etherspot/prime-sdk 1.9.2 is refused with what it lacks: it names no method', async () => {
    const { operation } = await setUp('0.7');
    const answer = await post({ params: paramsOf(operation), jsonrpc: '2', id: 2 });
    expect(answer.error).toMatchObject({ code: -32600, message: 'method must be a string' });
  });
});
