import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManagementClient } from '@tollfree/sdk/management';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { createPublicClient, type Hex, http, numberToHex } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { z } from 'zod';
import { Secret } from '../../../core/base/values/secret.ts';
import { demonstrateRelay } from '../../../server/dev/demo-operations.ts';
import { defaultEntryPointVersion as version } from '../../../server/dev/dev-file.ts';
import { readDevOptions } from '../../../server/dev/dev-options.ts';
import { openDevState } from '../../../server/dev/dev-state.ts';
import { deriveDevKey } from '../../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { registerPaymaster } from '../../../server/dev/register-paymaster.ts';
import { rpcCall } from '../../../server/dev/rpc-call.ts';
import { bundlerKeyNumber, startDevService } from '../../../server/dev/start-dev-service.ts';
import { targetCall } from '../chain/chain-lab.ts';
import { silentLogger } from '../logging/recording-logger.ts';
import { forward, type RpcServer, respond, startRpcServer } from '../servers/json-rpc-server.ts';

/** What one operation costs from `prepare` to its receipt. */
export type OperationCosts = {
  readonly way: 'paymaster' | 'relay';
  /** Requests to the service, and of the client to the chain's node. */
  readonly requests: number;
  readonly toNode: number;
  /** Questions that wait for the answer to another, counted along the longest chain of them. */
  readonly roundTrips: number;
  /** Gas of the transaction that has this operation alone. */
  readonly gas: number;
};

/** Milliseconds until the service and the node answer. A question that waits for another becomes visible by it. */
const distanceMs = 20;

/**
 * Sends the same call of one account through the paymaster contract, as viem does by default, and relayed, as the guide about relaying
 * says, to the service of `tollfree dev`. The account is on chain, has used its nonce, and the target's storage is not new.
 */
export async function measureOperationCosts(devnet: Devnet, paymasterSigner: Hex): Promise<readonly OperationCosts[]> {
  const lab = await openLab(devnet, paymasterSigner);
  try {
    const costs: OperationCosts[] = [];
    for (const [way, send] of [
      ['paymaster', sponsored],
      ['relay', relayed],
    ] as const) {
      const account = await openAccount(lab);
      await send(lab, account);
      await send(lab, account);
      lab.meter.reset();
      const { success, receipt } = await send(lab, account);
      if (!success) throw new Error(`The operation through the ${way} failed.`);
      costs.push({ way, ...lab.meter.read(), gas: Number(receipt.gasUsed) });
    }
    return costs;
  } finally {
    await lab.close();
  }
}

type Lab = {
  readonly devnet: Devnet;
  /** The paymaster's URL, and the node's, each some way off and counted. */
  readonly endpoint: RpcServer;
  readonly node: RpcServer;
  readonly meter: Meter;
  close(): Promise<void>;
};

async function openLab(devnet: Devnet, paymasterSigner: Hex): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-costs-'));
  const closing: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const anyPorts = { port: '0', grpcPort: '0', adminPort: '0', bundlerPort: '0' };
    const { service } = await startDevService({
      devnet,
      state: { ...openDevState(folder), signerKey: new Secret(paymasterSigner) },
      options: readDevOptions({ ...anyPorts, data: folder, nodeUrl: devnet.rpcUrl }),
      logger: silentLogger,
      metrics: () => [],
      shutdown: {
        onClose: (_, end) => void closing.push(end),
        onDrain: (_, end) => void closing.push(end),
      },
    });
    const { gatewayUrl, authToken } = service;
    const management = createManagementClient({ baseUrl: gatewayUrl, authToken });
    const fundingKey = deriveDevKey(1);
    const paymaster = await registerPaymaster({ devnet, management, gatewayUrl }, version, fundingKey);
    // The relay has a tank of its own.
    const executor = privateKeyToAddress(deriveDevKey(bundlerKeyNumber));
    const first = await demonstrateRelay(devnet, paymaster, { management, fundingKey, executor });
    if ('refusal' in first) throw new Error(`Nothing is relayed: ${first.refusal}.`);
    const meter = createMeter();
    const endpoint = await putAway(paymaster.rpcUrl, meter.toService);
    const node = await putAway(devnet.rpcUrl, meter.toNode);
    closing.push(endpoint.close, node.close);
    return { devnet, endpoint, node, meter, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Counts = Pick<OperationCosts, 'requests' | 'toNode' | 'roundTrips'>;
/** Notes a question; what it returns notes the answer. */
type Note = () => () => void;
type Meter = { readonly toService: Note; readonly toNode: Note; read(): Counts; reset(): void };

function createMeter(): Meter {
  const none = { requests: 0, toNode: 0, roundTrips: 0, answered: 0 };
  let now = { ...none };
  const note = (server: 'requests' | 'toNode') => () => {
    now[server] += 1;
    const trip = now.answered + 1;
    now.roundTrips = Math.max(now.roundTrips, trip);
    return () => {
      now.answered = Math.max(now.answered, trip);
    };
  };
  return {
    toService: note('requests'),
    toNode: note('toNode'),
    read: () => ({ requests: now.requests, toNode: now.toNode, roundTrips: now.roundTrips }),
    reset: () => {
      now = { ...none };
    },
  };
}

/** A server in front of another, some way off. */
function putAway(url: string, note: Note): Promise<RpcServer> {
  return startRpcServer(async (request, response) => {
    const answered = note();
    const [answer] = await Promise.all([
      forward(url, request),
      new Promise((resolve) => setTimeout(resolve, distanceMs)),
    ]);
    answered();
    respond(response, answer);
  });
}

function openAccount({ devnet, node }: Lab) {
  const transport = http(node.url, { retryCount: 0 });
  return toSimpleSmartAccount({
    client: createPublicClient({ chain: devnet.client.chain, transport, pollingInterval: distanceMs }),
    owner: privateKeyToAccount(generatePrivateKey()),
    entryPoint: { address: devnet.entryPoints[version], version },
    factoryAddress: devnet.accountFactories[version],
  });
}

type Account = Awaited<ReturnType<typeof openAccount>>;

function bundlerClientOf({ endpoint }: Lab, account: Account) {
  const transport = http(endpoint.url, { retryCount: 0 });
  const paymaster = createPaymasterClient({ transport });
  return createBundlerClient({ account, client: account.client, transport, paymaster, pollingInterval: distanceMs });
}

/** As an app does with viem: one URL for paymaster and bundler. */
async function sponsored(lab: Lab, account: Account) {
  const client = bundlerClientOf(lab, account);
  const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, 'increment')] });
  return client.waitForUserOperationReceipt({ hash });
}

const hexSchema = z.templateLiteral(['0x', z.string()]);
const limitsSchema = z.object({
  callGasLimit: hexSchema,
  verificationGasLimit: hexSchema,
  preVerificationGas: hexSchema,
});

/** Prepare, sign, send, receipt. */
async function relayed(lab: Lab, account: Account) {
  const { devnet, endpoint } = lab;
  const [sender, nonce, callData] = await Promise.all([
    account.getAddress(),
    account.getNonce(),
    account.encodeCalls([targetCall(devnet, 'increment')]),
  ]);
  const { factory, factoryData } = await account.getFactoryArgs();
  const deploys = factory === undefined || factoryData === undefined ? {} : { factory, factoryData };
  const draft = {
    sender,
    nonce: numberToHex(nonce),
    callData,
    ...deploys,
    signature: await account.getStubSignature(),
    maxFeePerGas: '0x0',
    maxPriorityFeePerGas: '0x0',
  };
  const entryPoint = account.entryPoint.address;
  const chainId = numberToHex(devnet.chainId);
  const limits = await rpcCall(endpoint.url, 'tollfree_prepareRelay', [draft, entryPoint, chainId, {}], limitsSchema);
  const signature = await account.signUserOperation({
    sender,
    nonce,
    callData,
    ...deploys,
    signature: draft.signature,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    callGasLimit: BigInt(limits.callGasLimit),
    verificationGasLimit: BigInt(limits.verificationGasLimit),
    preVerificationGas: BigInt(limits.preVerificationGas),
  });
  const operation = { ...draft, ...limits, signature };
  const hash = await rpcCall(endpoint.url, 'eth_sendUserOperation', [operation, entryPoint], hexSchema);
  return bundlerClientOf(lab, account).waitForUserOperationReceipt({ hash });
}
