import { type Address, encodeAbiParameters, getAbiItem, type Hex, pad } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import { callGasProbeAbi } from '../../core/gas/simulation/call-gas-probe.generated.ts';
import { entryPointCodeAddress } from '../../core/gas/simulation/plan-measurement.ts';
import {
  addressOnChain,
  codeInFull,
  creationCodeOf,
  delegatingCode,
} from '../../core/gas/simulation/simulation-code.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { followSimulationCode } from '../../core/runtime/follow-simulation-code.ts';
import { deploySimulationCode } from '../support/chain/deploy-simulation-code.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import {
  type Case,
  type EstimationBench,
  makeCase,
  puzzleCall,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';
import { handTimes } from '../support/time/hand-times.ts';

type Client = ReturnType<typeof createChainClient>;
type Question = {
  readonly method: string;
  readonly params: readonly [unknown, unknown, Record<Address, { code?: Hex }>];
};

/** What a connection that was still sends within one round trip: ten packets of 1,460 bytes. */
const oneRoundTrip = 14_600;

let bench: EstimationBench;
/** Where the code of every EntryPoint's simulations is. */
const helpers = new Set<Address>();
beforeAll(async () => {
  bench = await startEstimationBench();
  await deploySimulationCode(bench.devnet);
  for (const version of entryPointVersions) {
    const there = (await bench.client.getCode({ address: bench.devnet.entryPoints[version] })) ?? '0x';
    const { probe, entryPoint } = codeInFull(version, there);
    helpers.add(addressOnChain(probe)).add(addressOnChain(entryPoint));
  }
});
afterAll(() => bench.close());

/** A service that asks this client for the first time; `sizes` are those of its simulations, in characters. */
function startService(change: (client: Client) => Partial<Client> = () => ({}), confirmations = 0) {
  const plain = createChainClient(bench.config);
  const changed = { ...plain, ...change(plain) };
  const sizes: number[] = [];
  const request = ((question: Question) => {
    if (question.method === 'eth_call') sizes.push(JSON.stringify(question).length);
    return changed.request(question as never);
  }) as Client['request'];
  const config = { ...bench.config, confirmations };
  const client = { ...changed, request };
  return { client, estimator: createGasEstimator({ ...bench, config, client }), sizes };
}

/** What a node shows at the addresses of the helpers. */
const showing = (code: Hex | undefined) => (client: Client) => ({
  getCode: async (asked: Parameters<Client['getCode']>[0]) =>
    helpers.has(asked.address) ? code : client.getCode(asked),
});

async function limitsOf({ estimator }: ReturnType<typeof startService>, { request }: Case): Promise<GasLimits> {
  const estimated = await estimator.estimate(request);
  if (!estimated.ok) throw new Error(estimated.refusal.message);
  return estimated.value.limits;
}

describe.each(entryPointsOfRun)('with the code of EntryPoint %s on chain', (version) => {
  test.each(['SPONSORED', 'ERC20'] as const)('the estimate of %s is the same', async (mode) => {
    const subject = await makeCase(bench, { version, mode }, [puzzleCall(bench, 'store', ['0x1234'])]);
    const [onChain, inFull] = [startService(), startService(showing(undefined))];
    expect(await limitsOf(onChain, subject)).toEqual(await limitsOf(inFull, subject));
    expect(Math.max(...onChain.sizes)).toBeLessThan(oneRoundTrip);
    expect(Math.min(...inFull.sizes)).toBeGreaterThan(4 * oneRoundTrip);
  });

  test('a node that has the probe and not what simulates is sent all of it', async () => {
    const subject = await makeCase(bench, { version }, [puzzleCall(bench, 'store', ['0x1234'])]);
    const nothing = delegatingCode('0x00000000000000000000000000000000deadbeef');
    const behind = startService((client) => ({
      request: (async ({ method, params }: Question) => {
        const isShort = method === 'eth_call' && (params[2][entryPointCodeAddress]?.code?.length ?? Infinity) < 1_000;
        const state = isShort ? { ...params[2], [entryPointCodeAddress]: { code: nothing } } : params[2];
        return client.request({ method, params: [params[0], params[1], state] } as never);
      }) as Client['request'],
    }));
    expect(await limitsOf(behind, subject)).toEqual(await limitsOf(startService(), subject));
  });

  test('a node that has not got it yet is sent all of it', async () => {
    const subject = await makeCase(bench, { version }, [puzzleCall(bench, 'store', ['0x1234'])]);
    const { entryPoint } = subject.request;
    const behind = startService((client) => ({
      request: (async (question: Question) => {
        const code = question.method === 'eth_call' ? question.params[2][entryPoint]?.code : undefined;
        return code !== undefined && code.length < 1_000 ? '0x' : client.request(question as never);
      }) as Client['request'],
    }));
    expect(await limitsOf(behind, subject)).toEqual(await limitsOf(startService(), subject));
  });
});

/** What a delegate of a sender returns who wants to answer as the probe: that all is well with an operation. */
const forgedAnswer = (() => {
  const empty: Hex = '0x';
  const none = { call: 0n, verification: 0n, preVerification: 0n, paymasterVerification: 0n, postOp: 0n };
  const trial = { made: false, limits: none, returned: false, result: empty };
  const outcome = {
    failedStep: 0,
    executed: true,
    executionLimit: 4_900_000n,
    executionUsed: 4_900_000n,
    searched: true,
    hasPostOp: false,
    charged: false,
    postOpLimit: 0n,
    revertData: empty,
    postOpRevertData: empty,
    tokenBalance: 0n,
    tokenAllowance: 0n,
    senderCode: empty,
    senderWasThere: true,
    paymasterUsed: 0n,
    givenTried: false,
    givenExecuted: false,
    givenRevertData: empty,
  };
  const { outputs } = getAbiItem({ abi: callGasProbeAbi, name: 'measure' });
  const measured = {
    moment: pad('0x01'),
    baseFee: 1n,
    answers: [],
    verificationResult: empty,
    verificationLimit: 400_000n,
    verificationUsed: 400_000n,
    narrowed: true,
    settled: true,
    outcome,
    own: trial,
    given: trial,
  };
  return encodeAbiParameters(outputs, [measured]);
})();

test.each(entryPointsOfRun)('a sender where it stands does not respond for it, with EntryPoint %s', async (version) => {
  const subject = await makeCase(bench, { version }, [puzzleCall(bench, 'failWithPanic')]);
  const { address: delegate } = privateKeyToAccount(generatePrivateKey());
  // The form of creation code leaves what is behind it, and as code it returns that.
  await bench.devnet.client.setCode({ address: delegate, bytecode: creationCodeOf(forgedAnswer) });
  const authorized = { address: delegate, chainId: 0n, nonce: 0n, r: 1n, s: 1n, yParity: 0 } as const;
  const plain = { ...subject.request.operation, initCode: '0x', nonce: 0n } as const;
  for (const sender of helpers) {
    const operation = { ...plain, sender, eip7702Auth: authorized, eip7702Delegate: delegate };
    const request = { ...subject.request, operation };
    // As from a node that does not have it now, and had it when it was looked for.
    const behind = startService((client) => ({
      getCode: async (asked: Parameters<Client['getCode']>[0]) =>
        asked.address === sender && asked.blockNumber === undefined ? undefined : client.getCode(asked),
    }));
    const inFull = await startService(showing(undefined)).estimator.estimate(request);
    expect(await behind.estimator.estimate(request)).toEqual(inFull);
    expect(await startService().estimator.estimate(request)).toEqual(inFull);
  }
});

test('a call that takes nearly all of the gas of one simulation gets the same limits', async () => {
  const subject = await makeCase(bench, { version: '0.7' }, [puzzleCall(bench, 'fill', [400n])]);
  const inFull = await limitsOf(startService(showing(undefined)), subject);
  expect(inFull.callGasLimit).toBeGreaterThan(10_500_000n);
  expect(await limitsOf(startService(), subject)).toEqual(inFull);
});

test('other code at its address is not run', async () => {
  const subject = await makeCase(bench, { version: '0.7' }, []);
  const { sizes, ...service } = startService(showing('0x600160005260206000f3'));
  await limitsOf({ sizes, ...service }, subject);
  expect(Math.min(...sizes)).toBeGreaterThan(4 * oneRoundTrip);
});

test('a node that does not show past states has all of it sent', async () => {
  const subject = await makeCase(bench, { version: '0.7' }, []);
  const forgetful = startService((client) => ({
    getCode: async (asked: Parameters<Client['getCode']>[0]) => {
      if (asked.blockNumber !== undefined) throw new Error('missing trie node');
      return client.getCode(asked);
    },
  }));
  await limitsOf(forgetful, subject);
  expect(Math.min(...forgetful.sizes)).toBeGreaterThan(4 * oneRoundTrip);
});

test('it is looked for where the chain does not change any more', async () => {
  const subject = await makeCase(bench, { version: '0.7' }, []);
  const blocks: (bigint | undefined)[] = [];
  const service = startService(
    (client) => ({
      getCode: async (asked: Parameters<Client['getCode']>[0]) => {
        if (helpers.has(asked.address)) blocks.push(asked.blockNumber);
        return client.getCode(asked);
      },
    }),
    5,
  );
  await limitsOf(service, subject);
  const confirmed = (await bench.client.getBlockNumber()) - 5n;
  expect(blocks).toEqual([confirmed, confirmed]);
});

/** As a service follows the code of the case's EntryPoint; `look` lets the time for the next look come. */
function follow({ client }: ReturnType<typeof startService>, { family, contract: location }: Case) {
  const times = handTimes();
  const followed = followSimulationCode({
    client,
    config: { confirmations: 0 },
    contracts: [{ family, location }],
    ...times,
  });
  return { ...followed, look: () => times.pass(3_600_000) };
}

test('the first operation does not wait for the code to be looked for', async () => {
  const subject = await makeCase(bench, { version: '0.7' }, []);
  let reads = 0;
  const service = startService((client) => ({
    getCode: async (asked: Parameters<Client['getCode']>[0]) => {
      reads += 1;
      return client.getCode(asked);
    },
  }));
  await follow(service, subject).close();
  const before = reads;
  await limitsOf(service, subject);
  expect(before).toBeGreaterThan(0);
  // A layer 2's oracle is looked for with the first price.
  expect(reads).toBe(before + 1);
});

test('what is put on chain while the service runs is run soon, and what is gone no longer', async () => {
  const subject = await makeCase(bench, { version: '0.7' }, []);
  let isThere = false;
  const service = startService((client) => ({
    getCode: async (asked: Parameters<Client['getCode']>[0]) =>
      helpers.has(asked.address) && !isThere ? undefined : client.getCode(asked),
  }));
  const followed = follow(service, subject);
  const sizeAfter = async (): Promise<number> => {
    service.sizes.length = 0;
    await limitsOf(service, subject);
    return Math.max(...service.sizes);
  };
  expect(await sizeAfter()).toBeGreaterThan(4 * oneRoundTrip);
  for (const [there, isShort] of [
    [true, true],
    [false, false],
  ] as const) {
    isThere = there;
    followed.look();
    await expect.poll(async () => (await sizeAfter()) < oneRoundTrip).toBe(isShort);
  }
  await followed.close();
});
