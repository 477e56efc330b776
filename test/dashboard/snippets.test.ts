import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encodeFunctionData, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConfig } from 'wagmi';
import { connect } from 'wagmi/actions';
import { snippetsFor } from '../../clients/dashboard/pages/paymasters/snippets.ts';
import { smartWallet } from '../../clients/sdk/examples/wallet/smart-wallet.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { incrementsOf } from '../support/chain/chain-lab.ts';
import { type ClientLab, chainClient, openClientLab, simpleAccount } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab();
});
afterAll(() => lab?.close());

const version = '0.8';
/** Programs are pasted into files of this folder, where their imports are found. */
const folder = join(import.meta.dirname, 'pasted');

/** Runs code as pasted below the definitions that it asks for. */
async function runPasted(name: string, code: string, defined: Record<string, unknown>): Promise<void> {
  const file = join(folder, `${name.replace(/\W/g, '-')}.ts`);
  Object.assign(globalThis, { pasted: defined });
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `const { ${Object.keys(defined).join(', ')} } = globalThis.pasted;\n${code}\n`);
  await import(/* @vite-ignore */ file);
}
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const own = () => {
  const { rpcUrl, policyId } = { ...lab.paymaster(version), policyId: lab.policyId(version) };
  const paymaster = { chainId: lab.devnet.chainId } as Parameters<typeof snippetsFor>[1];
  return { rpcUrl, paymaster, policyId };
};

describe.each([false, true])('with a named policy: %s', (isNamed) => {
  test.each(['viem', 'permissionless', 'wagmi', 'Tollfree SDK'])(
    'the code for %s lands a call as pasted',
    async (name) => {
      const { devnet, bundler } = lab;
      const { rpcUrl, paymaster, policyId } = own();
      const filled = { url: rpcUrl, ...(isNamed ? { policyId } : {}) };
      const code = snippetsFor(filled, paymaster).find((each) => each.name === name)?.code ?? '';
      const owner = privateKeyToAccount(freshKey());
      const account = await simpleAccount(devnet, version, owner);
      const data: Hex = encodeFunctionData({ abi: devTargetAbi, functionName: 'increment' });
      const { chain } = devnet.client;
      const wallet = smartWallet({ owner, chain, nodeUrl: devnet.rpcUrl, bundlerUrl: bundler.url });
      const config = createConfig({
        chains: [chain],
        connectors: [wallet],
        transports: { [chain.id]: http(devnet.rpcUrl) },
      });
      const [connector] = config.connectors;
      if (connector === undefined) throw new Error('no connector');
      await connect(config, { connector });
      const client = chainClient(devnet);
      const defined = { account, client, bundlerUrl: bundler.url, to: devnet.target.address, data, config };
      await runPasted(`${name} ${isNamed}`, code, defined);
      const senders = [account.address, ...(await connector.getAccounts())];
      const landed = async () => Promise.all(senders.map((sender) => incrementsOf(devnet, sender)));
      await expect.poll(landed, { timeout: 20_000 }).toContain(1n);
    },
  );
});

test('the code for curl prints the EntryPoint and the chain', async () => {
  const { rpcUrl, paymaster } = own();
  const code = snippetsFor({ url: rpcUrl }, paymaster).find(({ name }) => name === 'curl')?.code ?? '';
  const { stdout } = await promisify(execFile)('bash', ['-c', code]);
  expect(stdout.toLowerCase()).toContain(lab.devnet.entryPoints[version].toLowerCase());
  expect(stdout).toContain(`0x${paymaster.chainId.toString(16)}`);
});
