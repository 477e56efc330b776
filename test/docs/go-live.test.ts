import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { applyEdits, modify } from 'jsonc-parser';
import { type Address, parseEther, parseGwei } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { defaultHoldCaps } from '../../core/domain/chain-config.ts';
import { defaultGatewayLimits } from '../../gateway/gateway-limits.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { type Anvil, startAnvil } from '../../server/dev/devnet/start-anvil.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { leastStake } from '../../server/paymaster-contract/family-facts.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { placeStandIn } from '../support/estimation/fee-oracles.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';

const base = 8_453;
const page = readFileSync('docs/go-live.md', 'utf8');
/** What a shell is given by the page, a block after another, without the indentation of a list. */
const blocks = [...page.matchAll(/^( *)```sh[^\n]*\n([\s\S]*?)^ *```/gm)].map(([, indent = '', code = '']) =>
  code.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim(),
);
const blockWith = (words: string) => {
  const found = blocks.filter((block) => block.includes(words));
  expect({ words, found }).toMatchObject({ found: [expect.any(String)] });
  return found[0] ?? '';
};

let anvil: Anvil;
let devnet: Devnet;
let folder: string;
const running: ChildProcess[] = [];
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-go-live-'));
  mkdirSync(file('bin'));
  const program = `#!/bin/sh\nexec '${process.execPath}' '${inject('program')}' "$@"\n`;
  writeFileSync(file('bin/tollfree'), program, { mode: 0o755 });
  anvil = await startAnvil({ port: 0, chainId: base });
  devnet = await startDevnet({ port: 0, nodeUrl: anvil.rpcUrl, paymasterSigner: privateKeyToAddress(leasedSignerKey) });
  await placeStandIn({ devnet }, 'StandInIsthmusOracle');
  await devnet.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('0.01') });
  await devnet.client.mine({ blocks: 1 });
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await anvil?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a reader puts in for the page's examples. Ports are any free ones: others may use the page's here. */
function asHere(command: string, put: Readonly<Record<string, string>> = {}): string {
  const nodes = { 'https://node-one.example,https://node-two.example': devnet.rpcUrl };
  return Object.entries({ ...nodes, ...put }).reduce((line, [example, here]) => {
    expect(command + Object.keys(nodes)).toContain(example);
    return line.replaceAll(example, here);
  }, command);
}

function shell(command: string): ChildProcess {
  const env = {
    PATH: `${file('bin')}:${process.env.PATH}`,
    TOLLFREE_LISTEN: '127.0.0.1:0',
    TOLLFREE_ADMIN_LISTEN: '127.0.0.1:0',
  };
  const child = spawn('sh', ['-e', '-c', command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  return child;
}

async function run(command: string) {
  const child = shell(command);
  const said = [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream)));
  const [[code], stdout = '', stderr = ''] = await Promise.all([once(child, 'close'), ...said]);
  return { code, stdout, stderr };
}

test('the commands of the page lead from an empty folder to a landed operation on a chain with the id of Base', async () => {
  // The contract's package is in this repository already.
  const setup = asHere(blockWith('tollfree setup').replace(/^npm install .*\n/, ''));
  const first = await run(setup);
  expect(first).toMatchObject({ code: 75 });
  const [, amount = '', payer = ''] = /Send ([\d.]+) ether on Base to (0x\w{40}):/.exec(first.stderr) ?? [];
  expect(Number(amount)).toBeLessThan(0.12);
  await devnet.client.setBalance({ address: payer as Address, value: parseEther(amount) });
  const second = await run(setup.split('\n').slice(1).join('\n'));
  expect(second).toMatchObject({ code: 0 });
  const [, path = ''] = /https:\/\/gas\.example\.org(\/api\/v2\/8453\/\S+)/.exec(second.stdout) ?? [];

  // Neither names nor the feeds of Base are here.
  const { stdout } = await run(`${blockWith('tollfree doctor')} --json`);
  const { findings } = z
    .object({ findings: z.array(z.object({ id: z.string(), level: z.string(), message: z.string() })) })
    .parse(JSON.parse(stdout));
  const notHere = /^(dns|price|feed|sequencer|public-url|disk|memory|open-files|node-slow)/;
  expect(findings.filter(({ id, level }) => level !== 'ok' && !notHere.test(id))).toEqual([]);
  expect(findings).toContainEqual(expect.objectContaining({ id: 'stake', message: 'Its stake is 0.1 ether.' }));

  useFixedPrice();
  const node = shell(`exec ${blockWith('tollfree node')}`);
  const { url, adminUrl } = await started(node);
  const isReady = async () => expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200);
  await vi.waitFor(isReady, { timeout: 30_000, interval: 200 });
  writeFileSync(file('game.abi.json'), JSON.stringify(devnet.target.abi));
  const register = asHere(blockWith('tollfree contract register'), {
    '0xYourContract': devnet.target.address,
    '--whitelist play': '--whitelist increment',
    'http://127.0.0.1:3000': url,
  });
  expect(await run(register)).toMatchObject({ code: 0 });

  await mineConfirmations(devnet);
  const isFull = async () =>
    expect(JSON.parse((await run('tollfree tank --json')).stdout)).toMatchObject({
      available: `${parseEther('0.01')}`,
    });
  await vi.waitFor(isFull, { timeout: 40_000, interval: 500 });
  const account = newSmartAccount('0.8');
  const drafted = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  const signed = await sponsor(`${url}${path}`, drafted);
  expect((await land(devnet, account, withAnswer(drafted, signed))).success).toBe(true);
}, 240_000);

/** The limit that `setup` makes is in USD, and this chain has no feed. */
function useFixedPrice(): void {
  const config = readFileSync(file('tollfree.json'), 'utf8');
  const nativePrice = { sources: [{ kind: 'fixed', usd: '2000' }], minimumSources: 1 };
  writeFileSync(
    file('tollfree.json'),
    applyEdits(config, modify(config, ['chains', 0, 'nativePrice'], nativePrice, {})),
  );
}

/** Where the service listens, as its log says. */
async function started(node: ChildProcess): Promise<{ url: string; adminUrl: string }> {
  if (node.stderr === null) throw new Error('stderr is not a pipe.');
  const said: string[] = [];
  for await (const line of createInterface({ input: node.stderr })) {
    said.push(line);
    if (line.includes('"msg":"started"')) {
      node.stderr.resume();
      return z.object({ url: z.string(), adminUrl: z.string() }).parse(JSON.parse(line));
    }
  }
  throw new Error(`The service ended: ${said.join('\n')}`);
}

test('its numbers are those of the program', () => {
  expect(leastStake(base).text).toBe('0.1 ether');
  const { requestsPerSecond, requestBurst } = defaultGatewayLimits;
  for (const row of [
    `\`requestBurst\`) | ${requestsPerSecond}, in bursts ${requestBurst} |`,
    `(\`holds.maxOpenHoldsPerClient\`) | ${defaultHoldCaps.maxOpenHoldsPerClient} |`,
    `(\`holds.maxShareOfTankPerClient\`) | ${defaultHoldCaps.maxShareOfTankPerClient} |`,
    `(\`holds.maxOpenHoldsPerSender\`) | ${defaultHoldCaps.maxOpenHoldsPerSender} |`,
    '| 0.1 ETH | the stake (`--stake`)',
    '| 0.01 ETH | the first deposit (`--deposit`)',
  ])
    expect(page).toContain(row);
});

test('the tarball of a release is what is installed, where the unit looks for the program', () => {
  const install = blockWith('npm run release:pack');
  expect(install).toContain('/release/tollfree-[0-9]*.tgz');
  expect(readFileSync('deploy/systemd/tollfree.service', 'utf8')).toContain(
    ` ${/--prefix (\S+)/.exec(install)?.[1]}/node_modules/tollfree/server/tollfree.mjs`,
  );
});
