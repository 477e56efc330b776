import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, isHex, maxUint256 } from 'viem';
import { english, generateMnemonic, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { userOperationEvent } from '../../core/node/chain-event.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { spawnTied } from '../../server/dev/devnet/start-anvil.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { rpcCall } from '../../server/dev/rpc-call.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  mint,
  newSmartAccount,
  nextOperation,
  setAllowance,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { checkLanding } from '../support/chain/landings.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { landAndCheck } from '../support/published-clients/client-lab.ts';
import type {} from '../support/run/installed.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';
import { quoteFor, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type FundedService, startFundedService } from '../support/service/funded-service.ts';

/** The one that `@metamask/test-bundler` knows. */
const version = '0.6';

let devnet: Devnet;
let service: FundedService;
let url: string;
let close: () => Promise<void>;
beforeAll(async () => {
  devnet = await startDevnet({ port: 0, paymasterSigner: privateKeyToAddress(leasedSignerKey) });
  service = await startFundedService(devnet);
  ({ url, close } = await startBundler());
});
afterAll(async () => {
  await close();
  await service.close();
  await devnet.close();
});

/** Without its rules on opcodes and storage, which it checks with tracers in JavaScript that anvil does not run. */
async function startBundler(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-metamask-'));
  const mnemonic = join(folder, 'mnemonic');
  writeFileSync(mnemonic, generateMnemonic(english), { mode: 0o600 });
  const port = await findClosedPort();
  const config = join(folder, 'config.json');
  const settings = {
    network: devnet.rpcUrl,
    mnemonic,
    port: String(port),
    entryPoint: devnet.entryPoints[version],
    unsafe: true,
    beneficiary: privateKeyToAddress(leasedSignerKey),
    minBalance: '1',
    maxBundleGas: 5_000_000,
    autoBundleInterval: 0,
    autoBundleMempoolSize: 0,
    conditionalRpc: false,
  };
  writeFileSync(config, JSON.stringify(settings));
  const child = spawnTied(process.execPath, [join(inject('installed'), 'dist/bundler/exec.js'), '--config', config]);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => void said.push(String(text)));
  const exited = once(child, 'exit');
  const answering = vi.waitFor(() => rpcCall(`http://127.0.0.1:${port}/rpc`, 'eth_chainId', [], z.string()), {
    timeout: 60_000,
    interval: 100,
  });
  await Promise.race([answering, exited.then(() => Promise.reject(new Error(said.join(''))))]);
  return {
    url: `http://127.0.0.1:${port}/rpc`,
    close: async () => {
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

const answerSchema = z.object({
  result: z.custom<Hex>((value) => isHex(value)).optional(),
  error: z.unknown().optional(),
});

async function send(operation: DevUserOperation): Promise<Hex> {
  // It asks for the events of the block behind the last one that it has seen, which anvil refuses as long as there is none.
  await devnet.client.mine({ blocks: 1 });
  const params = [toRpcUserOperation(operation), devnet.entryPoints[version]];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendUserOperation', params });
  const headers = { 'content-type': 'application/json' };
  const { result, error } = answerSchema.parse(await (await fetch(url, { method: 'POST', headers, body })).json());
  // Its codes need not be numbers.
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result;
}

/** As the chain tells it: the bundler's receipts do not name the paymaster. */
async function landed(hash: Hex) {
  const event = userOperationEvent;
  const address = devnet.entryPoints[version];
  const read = async () => {
    const [log] = await devnet.client.getLogs({
      address,
      event,
      args: { userOpHash: hash },
      fromBlock: 0n,
      strict: true,
    });
    if (log === undefined) throw new Error('The operation has not landed.');
    return { ...log.args, transactionHash: log.transactionHash };
  };
  return vi.waitFor(read, { timeout: 30_000 });
}

test('sponsored operations land, the first one deploys its account', async () => {
  const account = newSmartAccount(version);
  const { rpcUrl } = service.paymaster(version);
  for (let nth = 0; nth < 2; nth += 1) {
    const drafted = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    const operation = withAnswer(drafted, await sponsor(rpcUrl, drafted));
    const signed = await signUserOperation(devnet, operation, account.owner);
    const lab = { devnet, paymaster: service.paymaster };
    const attempt = { client: 'curl', version, sender: drafted.sender, payment: 'SPONSORED' } as const;
    await checkLanding(devnet, await landAndCheck(lab, attempt, async () => landed(await send(signed))));
  }
});

test('an operation paid in tokens lands', async () => {
  const account = newSmartAccount(version);
  const { rpcUrl, address } = service.paymaster(version);
  const token = tokenWith(devnet, 6);
  const drafted = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  await mint(devnet, token, drafted.sender, 10n ** 12n);
  await setAllowance(devnet, token, { owner: drafted.sender, spender: address, amount: maxUint256 });
  const { maxGasFee } = await quoteFor(rpcUrl, drafted, { token: token.address });
  expect(maxGasFee).toBeGreaterThan(0);
  const operation = withAnswer(drafted, await sponsor(rpcUrl, drafted, { token: token.address }));
  const signed = await signUserOperation(devnet, operation, account.owner);
  const payment = { token, quoted: () => 10n ** 12n };
  const attempt = { client: 'curl', version, sender: drafted.sender, payment } as const;
  await checkLanding(
    devnet,
    await landAndCheck({ devnet, paymaster: service.paymaster }, attempt, async () => landed(await send(signed))),
  );
});
