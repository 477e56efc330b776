import type { ServerResponse } from 'node:http';
import { type Address, concat, type Hex, numberToHex, parseEther, size } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import type { GasEstimator } from '../../core/gas/estimator.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import {
  approveCall,
  fillTank,
  mint,
  newSmartAccount,
  nextOperation,
  plainLimits,
  setAllowance,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { landAndCompare } from '../support/chain/chain-landing.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import {
  type RpcRequest,
  type RpcServer,
  respondError,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import {
  askQuotes,
  askSponsorship,
  maximumOf,
  quoteFor,
  sponsor,
  withAnswer,
} from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

type Answer = (request: RpcRequest, response: ServerResponse) => void | Promise<void>;

let bundlerServer: RpcServer;
let answer: Answer;
let service: RunningService;
let devnet: Devnet;
let honestEstimator: GasEstimator;
const paymasters = new Map<EntryPointVersion, LabPaymaster>();

/** Those of the table, and what tests of one EntryPoint use. */
const versions = [...new Set<EntryPointVersion>([...tabledEntryPoints, '0.7'])];

beforeAll(async () => {
  bundlerServer = await startRpcServer((request, response) =>
    // Asked from time to time whether it is there.
    request.method === 'eth_supportedEntryPoints' ? respondResult(response, request, []) : answer(request, response),
  );
  service = await startService({
    configure: (config) => ({
      ...config,
      chains: config.chains.map((chain): ChainConfig => {
        honestEstimator = createGasEstimator({ client: createChainClient(chain), config: chain });
        return { ...chain, bundler: { urls: [bundlerServer.url], expose: 'NONE' as const, asksForLimits: true } };
      }),
    }),
  });
  devnet = service.devnet;
  for (const version of versions) {
    const paymaster = await openPaymaster(service, version);
    const wallet = await walletWith(devnet, 0n);
    await chooseWallet(paymaster, wallet);
    await fillTank(devnet, version, wallet, parseEther('10'));
    paymasters.set(version, paymaster);
  }
});
afterAll(async () => {
  await service.close();
  await bundlerServer.close();
});

/** How often the bundler was asked for gas limits, and not only whether it is there. */
function estimatesAsked(): number {
  return bundlerServer.requests.filter(({ method }) => method === 'eth_estimateUserOperationGas').length;
}

function rpcUrlOf(version: EntryPointVersion): string {
  const paymaster = paymasters.get(version);
  if (paymaster === undefined) throw new Error('There is no paymaster.');
  return paymaster.rpcUrl;
}

const inHex = (limits: Readonly<Record<string, bigint>>) =>
  Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, numberToHex(value)]));

/** What the bundler answered last. */
let answered: Partial<GasLimits> = {};

/** Answers what the operation needs, found on the node as a bundler would, or something made of it. */
const estimating =
  (change: (limits: GasLimits) => Partial<GasLimits>): Answer =>
  async (request, response) => {
    const [sent, entryPoint] = request.params as [Record<string, Hex>, Address];
    const version = versions.find((each) => devnet.entryPoints[each] === entryPoint);
    const { sender, nonce, callData, maxFeePerGas, maxPriorityFeePerGas, signature } = sent;
    if (
      version === undefined ||
      !sender ||
      !nonce ||
      !callData ||
      !maxFeePerGas ||
      !maxPriorityFeePerGas ||
      !signature
    ) {
      return respondError(response, request, -32602, 'half an operation');
    }
    const limits = [sent.paymasterVerificationGasLimit ?? '0x0', sent.paymasterPostOpGasLimit ?? '0x0'] as const;
    const packed = [sent.paymaster ?? '0x', ...limits.map((limit) => numberToHex(BigInt(limit), { size: 16 }))];
    const estimate = await honestEstimator.estimate({
      operation: {
        entryPointVersion: version,
        sender,
        nonce: BigInt(nonce),
        initCode: sent.initCode ?? concat([sent.factory ?? '0x', sent.factoryData ?? '0x']),
        callData,
        maxFeePerGas: BigInt(maxFeePerGas),
        maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
        signature,
      },
      entryPoint,
      paymasterGas: { paymasterVerificationGasLimit: BigInt(limits[0]), paymasterPostOpGasLimit: BigInt(limits[1]) },
      stub: () => sent.paymasterAndData ?? concat([...packed, sent.paymasterData ?? '0x']),
      callGasAllowance: 0n,
    });
    if (estimate.ok) {
      answered = change(estimate.value.limits);
      respondResult(response, request, inHex(answered));
    } else respondError(response, request, -32500, `${estimate.refusal.details?.aaCode} ${estimate.refusal.message}`);
  };

const honest = estimating((limits) => limits);
/** As another estimator comes to them. */
const differing = estimating(({ callGasLimit, verificationGasLimit, preVerificationGas }) => ({
  callGasLimit: callGasLimit + 1_111n,
  verificationGasLimit: verificationGasLimit + 222n,
  preVerificationGas: preVerificationGas - 33n,
}));

/** As one that adds more than we do, and says of a payment that is not approved yet that it fails. */
const generous = estimating(({ callGasLimit, verificationGasLimit, preVerificationGas }) => ({
  callGasLimit: callGasLimit + 100_000n,
  verificationGasLimit: verificationGasLimit + 60_000n,
  preVerificationGas,
}));

describe.each(tabledEntryPoints)('with a bundler, EntryPoint %s', (version) => {
  test.each([6, 18])('what it signs fits the quote and the allowance, in a token of %i decimals', async (decimals) => {
    const token = tokenWith(devnet, decimals);
    const spender = devnet.paymasterContracts[devnetFamilies[version]];
    const account = newSmartAccount(version);
    const increment = targetCall(devnet, 'increment');
    const drafted = await nextOperation(devnet, account, [increment]);
    await mint(devnet, token, drafted.sender, 1_000n * 10n ** BigInt(decimals));
    answer = (request, response) => respondError(response, request, -32500, 'AA50 postOp reverted');
    const quoted = maximumOf(await quoteFor(rpcUrlOf(version), drafted, { token: token.address }));
    answer = generous;
    const { callData } = await nextOperation(devnet, account, [approveCall(token, spender, quoted), increment]);
    const operation = { ...drafted, callData };
    const asked = estimatesAsked();
    const signed = await sponsor(rpcUrlOf(version), operation, { token: token.address });
    expect(estimatesAsked()).toBe(asked + 1);
    const landing = await landAndCompare(devnet, account, withAnswer(operation, signed), token);
    expect(landing).toMatchObject({ increments: 1n, outcome: { success: true } });
    expect(landing.tokensPaid).toBeGreaterThan(0n);
    expect(landing.tokensPaid).toBeLessThanOrEqual(quoted);
  });

  test('signs its own limits where the bundler’s cost more than is approved', async () => {
    const token = tokenWith(devnet, 6);
    const spender = devnet.paymasterContracts[devnetFamilies[version]];
    const account = newSmartAccount(version);
    const first = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    await mint(devnet, token, first.sender, 10n ** 12n);
    answer = (request, response) => respondError(response, request, -32500, 'AA50 postOp reverted');
    const approved = maximumOf(await quoteFor(rpcUrlOf(version), first, { token: token.address }));
    // Quoted for this nonce alone: of another one only the allowance is known.
    const operation = { ...first, nonce: first.nonce + (1n << 64n) };
    await setAllowance(devnet, token, { owner: first.sender, spender, amount: approved });
    answer = generous;
    const signed = await sponsor(rpcUrlOf(version), operation, { token: token.address });
    const landing = await landAndCompare(devnet, account, withAnswer(operation, signed), token);
    expect(landing).toMatchObject({ increments: 1n, outcome: { success: true } });
    expect(landing.tokensPaid).toBeLessThanOrEqual(approved);
  });

  test('signs the limits the bundler answered, and the operation lands with them', async () => {
    answer = differing;
    const account = newSmartAccount(version);
    const operation = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    const signed = await sponsor(rpcUrlOf(version), operation);
    expect(signed).toMatchObject(answered);
    const landing = await landAndCompare(devnet, account, withAnswer(operation, signed), tokenWith(devnet, 6));
    expect(landing).toMatchObject({ accountPaid: 0n, increments: 1n, outcome: { success: true } });
  });

  test('asks for the operation with a stub as long as what is signed, at its own EntryPoint', async () => {
    answer = honest;
    const operation = await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, 'increment')]);
    const before = bundlerServer.requests.length;
    const signed = await sponsor(rpcUrlOf(version), operation);
    // Between them it may be asked whether it is there.
    const asked = bundlerServer.requests.slice(before).find(({ method }) => method === 'eth_estimateUserOperationGas');
    const [sent, entryPoint] = (asked?.params ?? [{}]) as [Record<string, Hex>, Address];
    expect(entryPoint).toBe(devnet.entryPoints[version]);
    const stub = version === '0.6' ? sent.paymasterAndData : sent.paymasterData;
    expect(size(stub ?? '0x')).toBe(size(signed.paymasterAndData) - (version === '0.6' ? 0 : 52));
    expect(JSON.stringify(sent)).not.toContain(signed.paymasterAndData.slice(-130));
  });

  test('lands in both modes with an honest bundler', async () => {
    answer = honest;
    const token = tokenWith(devnet, 6);
    const account = newSmartAccount(version);
    const increment = targetCall(devnet, 'increment');
    const approval = approveCall(token, devnet.paymasterContracts[devnetFamilies[version]], 10n ** 12n);
    for (const [calls, wish] of [
      [[increment], {}],
      [[approval, increment], { token: token.address }],
    ] as const) {
      const operation = await nextOperation(devnet, account, calls);
      await mint(devnet, token, operation.sender, 10n ** 12n);
      const signed = withAnswer(operation, await sponsor(rpcUrlOf(version), operation, wish));
      const landing = await landAndCompare(devnet, account, signed, token);
      expect(landing).toMatchObject({ accountPaid: 0n, increments: 1n, outcome: { success: true } });
      expect(landing.tokensPaid > 0n).toBe('token' in wish);
    }
  });

  test('signs what reverts, where the policy allows it, with the nodes’ estimate and no word of the bundler', async () => {
    answer = honest;
    const { authToken } = await service.issueAccount();
    const { rpcUrl, apiKey } = await service.fundedPaymaster(authToken, version);
    const client = createManagementClient({ baseUrl: service.url, authToken, apiKey });
    await client.setPolicy({ policy: { sponsorAllCalls: true, allowRevertingOperations: true } });
    const asked = estimatesAsked();
    const account = newSmartAccount(version);
    const operation = await nextOperation(devnet, account, [targetCall(devnet, 'fail')]);
    const signed = withAnswer(operation, await sponsor(rpcUrl, operation));
    const landing = await landAndCompare(devnet, account, signed, tokenWith(devnet, 6));
    expect(landing).toMatchObject({ accountPaid: 0n, outcome: { success: false } });
    expect(estimatesAsked()).toBe(asked);
  });

  test.each<[string, Answer]>([
    ['too low', estimating(({ callGasLimit: _, ...limits }) => ({ ...limits, callGasLimit: 1n }))],
    ['far too high', estimating((limits) => ({ ...limits, preVerificationGas: 20n * limits.preVerificationGas }))],
  ])('signs no limits of a bundler that are %s, and the operation lands', async (_, lie) => {
    answer = lie;
    const account = newSmartAccount(version);
    const operation = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    const signed = withAnswer(operation, await sponsor(rpcUrlOf(version), operation));
    const landing = await landAndCompare(devnet, account, signed, tokenWith(devnet, 6));
    expect(landing).toMatchObject({ accountPaid: 0n, increments: 1n, outcome: { success: true } });
  });

  test('quotes before the tokens are approved, although the bundler says AA50', async () => {
    answer = (request, response) => respondError(response, request, -32500, 'AA50 postOp reverted');
    const operation = await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, 'increment')]);
    const { address } = tokenWith(devnet, 6);
    expect(await askQuotes(rpcUrlOf(version), operation, { token: address })).toMatchObject({ httpStatus: 200 });
  });

  test('says itself why an operation fails', async () => {
    answer = honest;
    const built = await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, 'increment')]);
    const unknownNonce = { ...built, nonce: built.nonce + 3n };
    expect(await askSponsorship(rpcUrlOf(version), unknownNonce)).toMatchObject({
      httpStatus: 422,
      code: -32016,
      reason: 'ESTIMATION_FAILED',
      message: expect.stringContaining('nonce'),
    });
  });
});

test('limits that the client brings are compared with our own estimate without the bundler, and lowered if they are far above it', async () => {
  answer = honest;
  const before = estimatesAsked();
  const built = await nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'increment')]);
  const given = { ...built, ...plainLimits('undeployed') };
  await sponsor(rpcUrlOf('0.7'), given, { calculateGasLimits: false });
  expect(estimatesAsked()).toBe(before);
  const excessive = { ...given, callGasLimit: 50n * given.callGasLimit };
  const lowered = await sponsor(rpcUrlOf('0.7'), excessive, { calculateGasLimits: false });
  expect(BigInt(lowered.callGasLimit ?? 0)).toBeLessThan(2n * given.callGasLimit);
});

test('without its bundler the service signs its own estimates, and is ready and degraded', async () => {
  await bundlerServer.close();
  const account = newSmartAccount('0.8');
  const built = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  const signed = withAnswer(built, await sponsor(rpcUrlOf('0.8'), built));
  expect(await landAndCompare(devnet, account, signed, tokenWith(devnet, 6))).toMatchObject({
    increments: 1n,
    outcome: { success: true },
  });
  await vi.waitFor(
    async () => {
      const readiness = await fetch(`${service.adminUrl}/readyz`);
      expect(readiness.status).toBe(200);
      const bundler = { part: `bundler of chain ${devnet.chainId}`, ready: false, optional: true };
      expect((await readiness.json()) as object).toMatchObject({
        ready: true,
        parts: expect.arrayContaining([
          { ...bundler, detail: 'degraded, with only the service’s own estimates: the bundler does not respond' },
        ]),
      });
    },
    { timeout: 20_000 },
  );
});
