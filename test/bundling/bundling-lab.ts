import { type Address, type Hex, numberToHex } from 'viem';
import { getUserOperationHash } from 'viem/account-abstraction';
import { onTestFinished } from 'vitest';
import {
  type BundlerCallOutcome,
  type Bundling,
  type BundlingParts,
  bundlerTurns,
} from '../../core/bundling/bundling-parts.ts';
import { createBundling } from '../../core/bundling/create-bundling.ts';
import { noKeyRules } from '../../core/domain/api-key-rules.ts';
import type { BundlerExposure } from '../../core/domain/chain-config.ts';
import { type EntryPointVersion, entryPointAddresses } from '../../core/domain/entry-point-version.ts';
import { defaultPolicy, type Policy } from '../../core/domain/policy.ts';
import type { RawUserOperation } from '../../core/domain/user-operation.ts';
import type { SignedQuestion } from '../../core/ledger/holds/find-signed-operation.ts';
import type { SentOperation } from '../../core/ledger/operation-status/note-sent.ts';
import { createBundlerClient } from '../../core/node/bundler-client.ts';
import { type BundlerList, createBundlerList } from '../../core/node/bundler-list.ts';
import type { FeeView } from '../../core/node/read-fees.ts';
import { machineTimes, type Times } from '../../core/node/rpc/create-endpoint.ts';
import { createSimulationTurns } from '../../core/sponsorship/run/simulation-turns.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import {
  type RpcRequest,
  type RpcServer,
  respondError,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';

export const chainId = 31_337;
export const apiKey = 'key.one';
export const ownPaymaster = numberedAddress(0xaa);
export const entryPoints = entryPointAddresses;
export const fees: FeeView = { baseFee: 1_000n, suggestedTip: 100n };

type Answer = Parameters<typeof startRpcServer>[0];

export type BundlingLab = {
  readonly bundling: Bundling;
  readonly server: RpcServer;
  readonly bundler: BundlerList;
  /** Requests but those for the chain id. */
  asked(): readonly RpcRequest[];
  readonly sent: readonly SentOperation[];
  readonly calls: readonly (readonly [string, BundlerCallOutcome])[];
  readonly looked: readonly SignedQuestion[];
  readonly log: ReturnType<typeof createRecordingLogger>['lines'];
};

export type LabOptions = {
  readonly expose?: BundlerExposure;
  readonly version?: EntryPointVersion;
  readonly signed?: { readonly decisionId?: string } | undefined;
  readonly policy?: Partial<Policy>;
  readonly ceiling?: bigint;
  readonly gasPrice?: 'none';
  readonly fees?: FeeView | undefined;
  readonly methods?: readonly string[];
  readonly times?: Times;
  /** Of the chain that the bundler says it is of. */
  readonly theirChainId?: number | (() => number);
  /** Bundlers that are asked after the first one. */
  readonly others?: readonly Answer[];
};

/** The bundler's side of a core, with a bundler that answers as it is told; it knows its chain. */
export async function openBundlingLab(answer: Answer, options: LabOptions = {}): Promise<BundlingLab> {
  const { expose = 'OWN', version = '0.7', times = machineTimes, theirChainId = chainId } = options;
  const start = async (one: Answer) => {
    const started = await startRpcServer((request, response) =>
      request.method === 'eth_chainId'
        ? respondResult(
            response,
            request,
            numberToHex(typeof theirChainId === 'number' ? theirChainId : theirChainId()),
          )
        : one(request, response),
    );
    onTestFinished(() => started.close());
    return started;
  };
  const server = await start(answer);
  const servers = [server, ...(await Promise.all((options.others ?? []).map(start)))];
  const { logger, lines } = createRecordingLogger();
  const clients = servers.map(({ url }) => createBundlerClient({ chainId, url, times, logger }));
  const bundler = createBundlerList(clients, { chainId, clock: times.clock, logger });
  const location = { chainId, address: ownPaymaster, entryPoint: entryPoints[version] };
  const view = () => ({ headTime: Math.floor(times.clock.now() / 1_000), deposits: new Map(), ...viewFees(options) });
  const chain = {
    config: {
      chainId,
      bundler: { urls: servers.map(({ url }) => url), expose, asksForLimits: true },
      entryPoints,
      maxFeePerGasCeiling: options.ceiling,
      gasPrice: options.gasPrice,
    },
    contracts: new Map([['1', { family: { entryPointVersion: version }, location }]]),
    watcher: { view, faultOf: () => undefined },
    client: {},
    ...(expose === 'NONE' ? {} : { bundler }),
  };
  const profileOf = (key: string) => ({
    paymaster: { paymasterId: `paymaster of ${key}`, accountId: `account of ${key}`, chainId, version: '1' },
    key: {
      isSet: options.methods !== undefined,
      name: 'default',
      disabled: false,
      rules: { ...noKeyRules, methods: options.methods ?? [] },
      keyNumber: 0,
    },
    policy: { ...defaultPolicy, ...options.policy },
  });
  const sent: SentOperation[] = [];
  const calls: (readonly [string, BundlerCallOutcome])[] = [];
  const looked: SignedQuestion[] = [];
  const parts = {
    profiles: { find: async (key: string) => (key === 'unknown' ? undefined : profileOf(key)) },
    chains: new Map([[chainId, chain]]),
    takeOfRate: () => true,
    clock: times.clock,
    logger,
    turns: createSimulationTurns(times.clock, bundlerTurns, 'for the bundler'),
    findSigned: async (question: SignedQuestion) => {
      looked.push(question);
      return options.signed;
    },
    noteCall: (_: number, operation: string, outcome: BundlerCallOutcome) => void calls.push([operation, outcome]),
    noteSent: (note: SentOperation) => void sent.push(note),
  };
  // Of profiles and chains there is only what a bundler's request looks at.
  const bundling = createBundling(parts as unknown as BundlingParts);
  const asked = () => server.requests.filter(({ method }) => method !== 'eth_chainId');
  return { bundling, server, bundler, asked, sent, calls, looked, log: lines };
}

function viewFees(options: LabOptions): { readonly fees?: FeeView } {
  const found = 'fees' in options ? options.fees : fees;
  return found === undefined ? {} : { fees: found };
}

/** An operation of EntryPoint 0.7 and up with this paymaster, or none. */
export function packedOperation(paymaster: Address | 'none' = ownPaymaster): RawUserOperation {
  return {
    ...common,
    ...(paymaster === 'none'
      ? {}
      : {
          paymaster,
          paymasterData: `0x${'11'.repeat(12)}${'22'.repeat(65)}`,
          paymasterVerificationGasLimit: '0x7530',
          paymasterPostOpGasLimit: '0x1',
        }),
  };
}

/** An operation of EntryPoint 0.6 with this paymaster, or none. */
export function unpackedOperation(paymaster: Address | 'none' = ownPaymaster): RawUserOperation {
  const paymasterAndData = paymaster === 'none' ? '0x' : `${paymaster}${'11'.repeat(12)}${'22'.repeat(65)}`;
  return { ...common, initCode: '0x', paymasterAndData };
}

const common = {
  sender: numberedAddress(0x51),
  nonce: '0x1',
  callData: '0xb61d27f6',
  callGasLimit: '0x9c40',
  verificationGasLimit: '0x186a0',
  preVerificationGas: '0xc350',
  maxFeePerGas: '0x3b9aca00',
  maxPriorityFeePerGas: '0xf4240',
  signature: `0x${'33'.repeat(65)}`,
};

/** The hash of an operation as viem computes it. */
export function hashOf(version: EntryPointVersion, raw: RawUserOperation): Hex {
  const numbers = [
    ...['nonce', 'callGasLimit', 'verificationGasLimit', 'preVerificationGas', 'maxFeePerGas', 'maxPriorityFeePerGas'],
    ...['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'],
  ];
  const fields = Object.entries(raw).map(([name, value]) => [
    name,
    numbers.includes(name) ? BigInt(String(value)) : value,
  ]);
  return getUserOperationHash({
    chainId,
    entryPointAddress: entryPoints[version],
    entryPointVersion: version,
    userOperation: Object.fromEntries(fields),
  });
}

/** Answers one method with a result and any other as a bundler that does not have it. */
export function only(method: string, result: unknown | ((request: RpcRequest) => unknown)): Answer {
  return (request, response) => {
    if (request.method !== method) return respondError(response, request, -32_601, 'Method not found');
    respondResult(response, request, typeof result === 'function' ? result(request) : result);
  };
}
