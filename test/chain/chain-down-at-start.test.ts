import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEther, parseGwei } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { ChainConfig, CoreConfig } from '../../core/domain/core-config.ts';
import { startLocalCore } from '../../core/local.ts';
import { devCoreConfig } from '../../server/dev/dev-core-config.ts';
import { openDevState } from '../../server/dev/dev-state.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { type Anvil, startAnvil } from '../../server/dev/devnet/start-anvil.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { fillTank, newSmartAccount, nextOperation, targetCall, walletWith } from '../support/chain/chain-lab.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { mineAt } from '../support/chain/own-bundles.ts';
import { createRecordingLogger, silentLogger } from '../support/logging/recording-logger.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';
import { forward, type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { chooseWallet, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askSponsorship, sponsor } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const otherChainId = 4_242;
const patience = { timeout: 20_000 };
/** What an operation may cost on the second chain, in wei: an operation of the test takes more than a tenth of it. */
const ceilingThere = parseEther('0.05');

/** A second chain, whose node is behind a gate. */
let anvil: Anvil;
let other: Devnet;
let gate: RpcServer;
let isOpen = false;
let otherConfig: ChainConfig;
let service: RunningService;
const log: { readonly level: string; readonly message: string }[] = [];

beforeAll(async () => {
  anvil = await startAnvil({ port: 0, chainId: otherChainId });
  const nodeUrl = anvil.rpcUrl;
  other = await startDevnet({ port: 0, nodeUrl, paymasterSigner: privateKeyToAddress(leasedSignerKey) });
  gate = await startRpcServer(async (request, response) => {
    if (isOpen) respond(response, await forward(anvil.rpcUrl, request));
    else response.destroy();
  });
  const { logger } = createRecordingLogger(({ level, message }) => log.push({ level, message }));
  service = await startService({
    logger,
    configure: (config) => {
      otherConfig = behindGate(config);
      return { ...config, chains: [otherConfig, ...config.chains] };
    },
  });
});
afterAll(async () => {
  await service.close();
  await gate.close();
  await anvil.close();
});

function behindGate(config: CoreConfig): ChainConfig {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-gate-'));
  const state = { ...openDevState(folder), signerKey: new Secret(leasedSignerKey) };
  rmSync(folder, { recursive: true });
  const [chain] = devCoreConfig(other, state, 0n).chains;
  if (chain === undefined) throw new Error(`There is no chain other than ${config.chains.length}.`);
  return { ...chain, nodeUrls: [gate.url], maxCostPerOperation: ceilingThere };
}

async function readReadiness(): Promise<{ status: number; parts: readonly { part: string; detail: string }[] }> {
  const response = await fetch(`${service.adminUrl}/readyz`);
  return { status: response.status, ...((await response.json()) as { parts: { part: string; detail: string }[] }) };
}

test('a chain that is down at start keeps no other one down, and is opened when its node is back', async () => {
  await vi.waitFor(async () => expect((await readReadiness()).status).toBe(200), patience);
  expect((await readReadiness()).parts).toContainEqual(
    expect.objectContaining({
      part: `chain ${otherChainId}`,
      ready: false,
      optional: true,
      detail: `The node of chain ${otherChainId} did not answer. It does not respond. Check its URL, and whether this machine may reach it.`,
    }),
  );

  const here = await openPaymaster(service, '0.7');
  const wallet = await walletWith(service.devnet, 0n);
  await chooseWallet(here, wallet);
  await fillTank(service.devnet, '0.7', wallet, parseEther('1'));
  const operation = await nextOperation(service.devnet, newSmartAccount('0.7'), [
    targetCall(service.devnet, 'increment'),
  ]);
  expect((await sponsor(here.rpcUrl, operation)).MODE).toBe('SPONSORED');

  const there = await openPaymaster({ ...service, devnet: other, rpcUrl: rpcUrlThere }, '0.7');
  const customer = await walletWith(other, 0n);
  await chooseWallet(there, customer);
  await fillTank(other, '0.7', customer, parseEther('1'));
  await mineAt(other, parseGwei('20'));
  const operationThere = await nextOperation(other, newSmartAccount('0.7'), [targetCall(other, 'increment')]);
  expect(await askSponsorship(there.rpcUrl, operationThere)).toMatchObject({
    httpStatus: 503,
    reason: 'CHAIN_UNAVAILABLE',
  });

  const said = () => log.filter(({ message }) => /could not be opened|is open/.test(message)).map(({ level }) => level);
  expect(said()).toEqual(['error']);
  isOpen = true;
  await vi.waitFor(
    async () =>
      expect((await readReadiness()).parts).toContainEqual(
        expect.objectContaining({ part: `chain ${otherChainId}`, ready: true }),
      ),
    patience,
  );
  expect(said()).toEqual(['error', 'info']);
  // Its cap was set while no price of the chain was known.
  expect((await sponsor(there.rpcUrl, operationThere)).MODE).toBe('SPONSORED');
});

function rpcUrlThere(apiKey: string): string {
  return `${service.url}/api/v1/${otherChainId}/${apiKey}`;
}

test('with every node down the service does not start, and neither with a mistake in one of several chains', async () => {
  isOpen = false;
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-start-'));
  const start = (chains: readonly ChainConfig[]) =>
    startLocalCore(
      { ...service.config, database: { kind: 'sqlite', file: join(folder, 'tollfree.db') }, chains },
      { logger: silentLogger, clock: Date },
    );
  await expect(start([otherConfig])).rejects.toMatchObject({ name: 'StartError', tryAgain: true });
  const stranger = { kind: 'raw', privateKey: new Secret(deriveDevKey(3)) } as const;
  const mistaken = service.config.chains.slice(1).map((chain) => ({ ...chain, signer: stranger }));
  await expect(start([otherConfig, ...mistaken])).rejects.toMatchObject({ name: 'StartError', tryAgain: false });
  rmSync(folder, { recursive: true });
});

test('over a node without state overrides the service does not start, with a bundler neither', async () => {
  const [chain] = service.config.chains.slice(1);
  if (chain === undefined) throw new Error('There is no second chain.');
  const node = await startRpcServer(async (request, response) => {
    const params = request.method === 'eth_call' ? request.params.slice(0, 2) : request.params;
    respond(response, await forward(service.devnet.rpcUrl, { ...request, params }));
  });
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-overrides-'));
  const chains = [
    { ...chain, nodeUrls: [node.url], bundler: { urls: [node.url], expose: 'NONE' as const, asksForLimits: true } },
  ];
  const start = startLocalCore(
    { ...service.config, database: { kind: 'sqlite', file: join(folder, 'tollfree.db') }, chains },
    { logger: silentLogger, clock: Date },
  );
  await expect(start).rejects.toMatchObject({
    name: 'StartError',
    tryAgain: false,
    message: expect.stringContaining('supports eth_call with state overrides'),
  });
  await node.close();
  rmSync(folder, { recursive: true });
});

test('a chain whose bundler is gone is ready, and says that it is degraded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-bundler-'));
  const bundler = {
    urls: [`http://127.0.0.1:${await findClosedPort()}`],
    expose: 'NONE' as const,
    asksForLimits: true,
  };
  const chains = service.config.chains.slice(1).map((chain) => ({ ...chain, bundler }));
  const { core, close } = await startLocalCore(
    { ...service.config, database: { kind: 'sqlite', file: join(folder, 'tollfree.db') }, chains },
    { logger: silentLogger, clock: Date },
  );
  const { chainId } = service.devnet;
  const detail = 'degraded, with only the service’s own estimates: the bundler does not respond';
  await vi.waitFor(async () => {
    const parts = await core.status();
    expect(parts).toContainEqual({ part: `bundler of chain ${chainId}`, ready: false, detail, optional: true });
    expect(parts).toContainEqual(expect.objectContaining({ part: `chain ${chainId}`, ready: true }));
  }, patience);
  await close();
  rmSync(folder, { recursive: true });
});

test('a node of another chain that stands behind the right one is named by readiness and log, and asked nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-other-chain-'));
  const node = await startRpcServer(async (request, response) => {
    respond(response, await forward(anvil.rpcUrl, request));
  });
  const chains = service.config.chains.slice(1).map((chain) => ({ ...chain, nodeUrls: [...chain.nodeUrls, node.url] }));
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (_: object, message: string) => void errors.push(message) };
  const { core, close } = await startLocalCore(
    { ...service.config, database: { kind: 'sqlite', file: join(folder, 'tollfree.db') }, chains },
    { logger, clock: Date },
  );
  const part = `node 2 of chain ${service.devnet.chainId}`;
  const detail = `it is a node of chain ${otherChainId} and is not asked`;
  expect(await core.status()).toContainEqual({ part, ready: false, detail, optional: true });
  await vi.waitFor(async () => {
    const ready = expect.objectContaining({ part: `chain ${service.devnet.chainId}`, ready: true });
    expect(await core.status()).toContainEqual(ready);
  }, patience);
  expect(errors).toContain('A node is of another chain. It is not asked');
  expect(new Set(node.requests.map(({ method }) => method))).toEqual(new Set(['eth_chainId']));
  await close();
  await node.close();
  rmSync(folder, { recursive: true });
});

test('the nodes of many chains are asked side by side', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-many-'));
  const chainIds = [5_001, 5_002, 5_003, 5_004, 5_005];
  const asked = new Set<number>();
  let letGo = () => {};
  const all = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  // None of them answers before all have been asked.
  const nodes = await Promise.all(
    chainIds.map((chainId) =>
      startRpcServer(async (_request, response) => {
        asked.add(chainId);
        if (asked.size === chainIds.length) letGo();
        await all;
        response.destroy();
      }),
    ),
  );
  const chains = chainIds.map((chainId, index) => ({
    ...otherConfig,
    chainId,
    nodeUrls: [nodes[index]?.url ?? ''],
    // No one gives up before.
    callTimeoutMs: 600_000,
  }));
  const starting = startLocalCore(
    { ...service.config, database: { kind: 'sqlite', file: join(folder, 'tollfree.db') }, chains },
    { logger: silentLogger, clock: Date },
  );
  const failing = expect(starting).rejects.toMatchObject({ name: 'StartError', tryAgain: true });
  await vi.waitFor(() => expect(asked).toEqual(new Set(chainIds)), patience);
  await failing;
  await Promise.all(nodes.map((node) => node.close()));
  rmSync(folder, { recursive: true });
});
