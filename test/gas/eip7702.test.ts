import { type Address, concat, encodeFunctionData, getAddress, type Hex, keccak256, zeroAddress, zeroHash } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type {
  Eip7702Authorization,
  Eip7702MarkerForm,
  GasLimits,
  UserOperation,
} from '../../core/domain/user-operation.ts';
import { delegationCode, eip7702Marker, shortEip7702Marker } from '../../core/evm/entry-point/eip7702.ts';
import { simulation07Abi } from '../../core/evm/entry-point/entry-point-abi.ts';
import { userOperationHash } from '../../core/evm/entry-point/entry-points.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import type { EstimationRequest } from '../../core/gas/estimator.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { createGivenLimitsCheck } from '../../core/gas/given-limits-check.ts';
import { encodeForPublishing } from '../../core/gas/simulation/encode-handle-ops.ts';
import { entryPointCodeAddress } from '../../core/gas/simulation/plan-measurement.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { handleUserOperation } from '../../server/dev/user-operation/entry-point.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { delegatingAccount, markedOperation, signDelegation } from '../support/chain/eip7702-lab.ts';
import { type EstimationBench, startEstimationBench } from '../support/estimation/estimation-bench.ts';
import { forward, type RpcServer, respond, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { freshKey } from '../support/service/running-service.ts';

let bench: EstimationBench;
let delegate: Address;
let otherDelegate: Address;
let owner: PrivateKeyAccount;
let node: RpcServer;

/** Puts the code of the account at another address, which it returns. */
async function copyAccount({ client, simple7702Account }: Devnet): Promise<Address> {
  const address = privateKeyToAddress(freshKey());
  const bytecode = await client.getCode({ address: simple7702Account });
  if (bytecode === undefined) throw new Error('There is no account.');
  await client.setCode({ address, bytecode });
  return address;
}

beforeAll(async () => {
  bench = await startEstimationBench();
  delegate = bench.devnet.simple7702Account;
  otherDelegate = await copyAccount(bench.devnet);
  owner = privateKeyToAccount(freshKey());
  node = await startRpcServer(async (request, response) =>
    respond(response, await forward(bench.devnet.rpcUrl, request)),
  );
});
afterAll(async () => {
  await node.close();
  await bench.close();
});

const signedTerms = {
  mode: 'SPONSORED',
  validUntil: 4_000_000_000,
  validAfter: 0,
  fundingWallet: '0x6666666666666666666666666666666666666666',
  priceMarkup: 1_000_000,
} as const;

function familyAndContract(version: EntryPointVersion) {
  const { devnet } = bench;
  const name = devnetFamilies[version];
  const family = paymasterContractFamilies.get(name);
  if (family === undefined) throw new Error('There is no such family.');
  const contract = {
    chainId: devnet.chainId,
    address: devnet.paymasterContracts[name],
    entryPoint: devnet.entryPoints[version],
  };
  return { family, contract };
}

/** A placeholder, as a client sends it before the owner has signed. */
function placeholder(address: Address): Eip7702Authorization {
  return { address, chainId: BigInt(bench.devnet.chainId), nonce: 0n, r: 1n, s: 1n, yParity: 0 };
}

async function makeRequest(change: Partial<UserOperation> = {}, by = owner): Promise<EstimationRequest> {
  const { family, contract } = familyAndContract(change.entryPointVersion ?? '0.8');
  const account = await delegatingAccount(bench.devnet, delegate, by);
  const marked = await markedOperation(bench.devnet, account, [targetCall(bench.devnet, 'increment')]);
  const { factory: _, factoryData: __, ...fields } = marked;
  return {
    operation: {
      ...fields,
      entryPointVersion: '0.8',
      initCode: eip7702Marker,
      eip7702Auth: placeholder(delegate),
      eip7702Delegate: delegate,
      paysAuthorization: true,
      ...change,
    },
    entryPoint: contract.entryPoint,
    paymasterGas: family.paymasterGasLimits('SPONSORED', gasSchedules.osaka),
    stub: (operation) => family.stub(contract, operation, signedTerms),
    callGasAllowance: 0n,
  };
}

/** A call of `executeUserOp`, which anybody may make. */
const firstCall = encodeFunctionData({
  abi: simulation07Abi,
  functionName: 'executeUserOp',
  args: [
    {
      sender: zeroAddress,
      nonce: 0n,
      initCode: '0x',
      callData: '0x12345678',
      accountGasLimits: zeroHash,
      preVerificationGas: 0n,
      gasFees: zeroHash,
      paymasterAndData: '0x',
      signature: '0x',
    },
    keccak256('0x01'),
  ],
});

async function estimate(request: EstimationRequest): Promise<GasLimits> {
  const result = await createGasEstimator(bench).estimate(request);
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value.limits;
}

/** Lands the operation with exactly these limits, in a transaction with the owner's authorization where it has one. */
async function land({ operation: unsigned }: EstimationRequest, gas: GasLimits, by = owner) {
  const { family, contract } = familyAndContract(unsigned.entryPointVersion);
  const { chainId, entryPoint } = contract;
  const operation = { ...unsigned, gas };
  const prepared = family.prepare(contract, operation, signedTerms);
  const paymasterSignature = await bench.paymasterSigner.signMessage({ message: { raw: prepared.digest } });
  const paymasterAndData = family.assemble(prepared.unsigned, paymasterSignature);
  const hash = userOperationHash({ operation, paymasterAndData, entryPoint, chainId });
  const { gas: _, ...fields } = operation;
  const complete = { ...fields, ...gas, paymasterAndData, signature: await by.sign({ hash }) };
  if (operation.eip7702Auth === undefined) return handleUserOperation(bench.devnet, complete, bench.bundler);
  const delegation = await signDelegation(bench.devnet, by, operation.eip7702Auth.address);
  return handleUserOperation(bench.devnet, complete, bench.bundler, delegation);
}

describe('an estimate with the node alone', () => {
  test('of a sender without code lands as it is, and the bundler is paid for the authorization too', async () => {
    const request = await makeRequest();
    const outcome = await land(request, await estimate(request));
    expect(outcome.success).toBe(true);
    expect(outcome.actualGasUsed).toBeGreaterThanOrEqual(outcome.receipt.gasUsed);
  });

  test('of a sender with its delegation in place lands without an authorization', async () => {
    const { eip7702Auth: _, paysAuthorization: __, ...operation } = (await makeRequest()).operation;
    const request = { ...(await makeRequest()), operation };
    const outcome = await land(request, await estimate(request));
    expect(outcome.success).toBe(true);
    expect(outcome.actualGasUsed).toBeGreaterThanOrEqual(outcome.receipt.gasUsed);
  });

  test('has the gas of an authorization in preVerificationGas, and only there', async () => {
    const request = await makeRequest();
    const { eip7702Auth: _, paysAuthorization: __, ...operation } = request.operation;
    const [withIt, without] = [await estimate(request), await estimate({ ...request, operation })];
    expect(withIt).toEqual({ ...without, preVerificationGas: without.preVerificationGas + 25_000n });
  });

  test('is made with the code of the delegate that is authorized, whatever code the sender has now', async () => {
    const empty = `0x${'99'.repeat(20)}` as const;
    const request = await makeRequest({ eip7702Auth: placeholder(empty), eip7702Delegate: empty });
    const result = await createGasEstimator(bench).estimate(request);
    expect(result).toMatchObject({ ok: false, refusal: { reason: 'ESTIMATION_FAILED' } });
  });

  test('of EntryPoint 0.7 takes an authorization without the marker, and lands', async () => {
    const someone = privateKeyToAccount(freshKey());
    const account = bench.wholeOperationAccount;
    const change = {
      entryPointVersion: '0.7',
      nonce: 0n,
      initCode: '0x',
      // Selector of `executeUserOp`, which is all that this account looks at.
      callData: '0x8dd7712f',
      eip7702Auth: placeholder(account),
      eip7702Delegate: account,
    } as const;
    const request = await makeRequest(change, someone);
    const outcome = await land(request, await estimate(request), someone);
    expect(outcome.success).toBe(true);
    expect(outcome.actualGasUsed).toBeGreaterThanOrEqual(outcome.receipt.gasUsed);
  });

  test('has the gas of what the account is to do first, which follows the marker', async () => {
    const someone = privateKeyToAccount(freshKey());
    const account = bench.wholeOperationAccount;
    const callData = '0x8dd7712faabb';
    const change = { callData, nonce: 0n, eip7702Auth: placeholder(account), eip7702Delegate: account } as const;
    const [plain, first] = await Promise.all([
      makeRequest(change, someone),
      makeRequest({ ...change, initCode: concat([eip7702Marker, firstCall]) }, someone),
    ]);
    const [gas, withFirst] = [await estimate(plain), await estimate(first)];
    // It writes a slot that has nothing in it yet.
    expect(withFirst.verificationGasLimit - gas.verificationGasLimit).toBeGreaterThan(20_000n);
    // So that the operation's own call finds something in it.
    expect(gas.callGasLimit - withFirst.callGasLimit).toBeGreaterThan(15_000n);
    expect((await land(first, withFirst, someone)).success).toBe(true);
  });

  test.each(['code of the EntryPoint', 'EntryPoint'] as const)(
    'never lets the code of a sender stand in for the %s',
    async (location) => {
      const config = { ...bench.config, nodeUrls: [node.url] };
      const before = node.requests.length;
      const sender = getAddress(location === 'EntryPoint' ? bench.devnet.entryPoints['0.8'] : entryPointCodeAddress);
      await createGasEstimator({ client: createChainClient(config), config }).estimate(await makeRequest({ sender }));
      const calls = node.requests.slice(before).filter(({ method }) => method === 'eth_call');
      expect(calls.length).toBeGreaterThan(0);
      for (const { params } of calls) {
        const overrides = new Map(Object.entries(params[2] as Record<Address, { code?: Hex }>));
        const addresses = [...overrides.keys()].map((address) => address.toLowerCase());
        expect(new Set(addresses).size).toBe(addresses.length);
        const [{ to }] = params as [{ to: Address }];
        expect(overrides.get(to)?.code).not.toBe(delegationCode(delegate));
      }
    },
  );

  test('reckons with the bytes of the authorization where data is published on another chain', async () => {
    const request = await makeRequest();
    const gas = await estimate(request);
    const { paysAuthorization: _, ...operation } = request.operation;
    const published = (each: UserOperation) =>
      encodeForPublishing({ operation: { ...each, gas }, entryPoint: request.entryPoint, paymasterAndData: '0x' });
    // Chain id, address, nonce, parity and two halves of a signature take 100 bytes in RLP at the least.
    expect(published(request.operation).length - published(operation).length).toBeGreaterThanOrEqual(200);
  });
});

describe('an estimate of a bundler', () => {
  async function askedWith(request: EstimationRequest, markerForm?: Eip7702MarkerForm): Promise<unknown> {
    const bundler = await startRpcServer((sent, response) =>
      respondResult(response, sent, {
        callGasLimit: '0x1',
        verificationGasLimit: '0x1',
        preVerificationGas: '0x1',
      }),
    );
    const config = {
      ...bench.config,
      bundler: { urls: [bundler.url], expose: 'NONE' as const, asksForLimits: true },
      ...(markerForm && { eip7702Marker: markerForm }),
    };
    const result = await createGasEstimator({ client: createChainClient(config), config }).estimate(request);
    await bundler.close();
    expect(result.ok).toBe(true);
    return bundler.requests[0]?.params[0];
  }

  test.each([
    [undefined, shortEip7702Marker, shortEip7702Marker],
    [undefined, eip7702Marker, eip7702Marker],
    ['padded', eip7702Marker, shortEip7702Marker],
  ] as const)('of a bundler that packs the marker %s is asked for %s as %s', async (markerForm, initCode, factory) => {
    expect(await askedWith(await makeRequest({ initCode }), markerForm)).toMatchObject({ factory, factoryData: '0x' });
  });

  test('is asked for with the authorization and the marker in the forms of viem', async () => {
    expect(await askedWith(await makeRequest({ initCode: shortEip7702Marker }))).toMatchObject({
      factory: '0x7702',
      factoryData: '0x',
      eip7702Auth: {
        address: delegate,
        chainId: '0x7a69',
        nonce: '0x0',
        r: `0x${'00'.repeat(31)}01`,
        s: `0x${'00'.repeat(31)}01`,
        yParity: '0x00',
      },
    });
  });

  test('is asked for without one when there is none', async () => {
    const { eip7702Auth: _, paysAuthorization: __, ...operation } = (await makeRequest()).operation;
    expect(await askedWith({ ...(await makeRequest()), operation })).not.toHaveProperty('eip7702Auth');
  });
});

describe('the guard of given limits', () => {
  test('keeps estimates of other delegates, and with and without an authorization, apart', async () => {
    const config = { ...bench.config, nodeUrls: [node.url] };
    const client = createChainClient(config);
    const estimator = createGasEstimator({ client, config });
    const guard = createGivenLimitsCheck({ client, config, estimator, clock: { now: () => 0 } });
    const request = await makeRequest();
    const gas = await estimate(request);
    /** How much the chain was asked for a check that passes. */
    const requestsFor = async (operation: UserOperation, limits = gas) => {
      const before = node.requests.length;
      const given = { ...request, operation: { ...operation, gas: limits }, payment: 'sponsored' };
      expect(await guard.check({ ...given, complete: (own) => own })).toEqual({ ok: true, value: { dataGas: 0n } });
      return node.requests.length - before;
    };
    const { eip7702Auth: _, paysAuthorization: __, ...unauthorized } = request.operation;
    const elsewhere = { ...request.operation, eip7702Auth: placeholder(otherDelegate), eip7702Delegate: otherDelegate };
    expect(await requestsFor(request.operation)).toBeGreaterThan(0);
    expect(await requestsFor(request.operation)).toBe(0);
    const ownGas = { ...gas, preVerificationGas: gas.preVerificationGas - 25_000n };
    expect(await requestsFor(unauthorized, ownGas)).toBeGreaterThan(0);
    expect(await requestsFor(elsewhere)).toBeGreaterThan(0);
    expect(await requestsFor(elsewhere)).toBe(0);
  });
});
