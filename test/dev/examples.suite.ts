import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Address, createPublicClient, erc20Abi, type Hex, http, parseEventLogs } from 'viem';
import { entryPoint08Abi } from 'viem/account-abstraction';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { DevFile } from '../../server/dev/dev-file.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';

const folder = join(import.meta.dirname, '../../clients/sdk/examples');

/** The programs that developers copy, each run against the running service with what it wrote to `dev.env`. */
export function examplesSuite(
  running: () => { readonly dev: DevFile; readonly env: Readonly<Record<string, string>> },
) {
  const chain = () => createPublicClient({ transport: http(running().dev.chain.rpcUrl) });

  /** Runs a file with the lines of `dev.env`, and others in their place. `run` tells one run of a file from another. */
  async function load(name: string, over: Readonly<Record<string, string>> = {}, run = 'first'): Promise<object> {
    for (const [key, value] of Object.entries({ ...running().env, ...over })) vi.stubEnv(key, value);
    try {
      return await import(`${join(folder, name)}?run=${run}`);
    } finally {
      vi.unstubAllEnvs();
    }
  }

  /** The lines that a program prints. */
  async function runExample(...program: Parameters<typeof load>): Promise<readonly string[]> {
    const printed: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((...parts) => void printed.push(parts.join(' ')));
    await load(...program).finally(() => log.mockRestore());
    return printed;
  }

  /** What the chain says of the operation in the transaction that a program has named in a line, and of its sender. */
  async function landedIn(printed: readonly string[]) {
    const { dev } = running();
    const [, hash] = /^landed (0x\w{64})$/.exec(printed.find((line) => line.startsWith('landed')) ?? '') ?? [];
    if (hash === undefined) throw new Error(`Nothing landed: ${printed.join(' | ')}`);
    const { logs, blockNumber } = await chain().getTransactionReceipt({ hash: hash as Hex });
    const [event] = parseEventLogs({ abi: entryPoint08Abi, eventName: 'UserOperationEvent', logs });
    if (event === undefined) throw new Error('The transaction has no operation.');
    const { sender, paymaster, success } = event.args;
    const count = (at: bigint) =>
      chain().readContract({
        address: dev.chain.target,
        abi: devTargetAbi,
        functionName: 'count',
        args: [sender],
        blockNumber: at,
      });
    const increments = (await count(blockNumber)) - (await count(blockNumber - 1n));
    return { sender, success, increments, bySponsor: paymaster === dev.paymasters[0]?.address, blockNumber };
  }

  const coinOf = (address: Address) => chain().getBalance({ address });

  describe('the examples', () => {
    test('set-up.ts makes a paymaster that sponsors, on which sponsored.ts lands its call', async () => {
      const [url = ''] = await runExample('set-up.ts');
      const management = createManagementClient({
        baseUrl: running().dev.gatewayUrl,
        authToken: running().dev.authToken,
        apiKey: url.split('/').at(-1),
      });
      await vi.waitFor(async () => expect((await management.readGasTank()).available).not.toBe('0'), 20_000);
      const printed = await runExample('sponsored.ts', { PAYMASTER_URL: url }, 'after the set-up');
      expect(await landedIn(printed)).toMatchObject({ success: true, increments: 1n });
      expect(BigInt((await management.readGasTank()).held)).toBeGreaterThanOrEqual(0n);
    });

    test('sponsored.ts lands one call that the tank pays, and shows a refusal', async () => {
      const printed = await runExample('sponsored.ts');
      const landed = await landedIn(printed);
      expect(landed).toMatchObject({ success: true, increments: 1n, bySponsor: true });
      expect(await coinOf(landed.sender)).toBe(0n);
      expect(printed.at(-1)).toBe('fail() is not whitelisted, so it was refused: METHOD_NOT_WHITELISTED');
    });

    test('one-call.ts lands one call, and says at which step the other one failed and why', async () => {
      const printed = await runExample('one-call.ts');
      expect(await landedIn(printed)).toMatchObject({ success: true, increments: 1n, bySponsor: true });
      expect(printed.slice(1)).toEqual([
        'failed sponsor METHOD_NOT_WHITELISTED',
        'to the user: This transaction is not free of charge here.',
      ]);
    });

    test('token-paid.ts lands one call that the user pays in a token, within the maximum', async () => {
      const printed = await runExample('token-paid.ts');
      const [, about = '', most = ''] = /^about ([\d.]+) devUSD, at most ([\d.]+)$/.exec(printed[0] ?? '') ?? [];
      const { sender, blockNumber, ...landed } = await landedIn(printed);
      expect(landed).toEqual({ success: true, increments: 1n, bySponsor: true });
      const token = { address: running().dev.chain.tokens[0]?.address ?? '0x', abi: erc20Abi } as const;
      const owned = (at: bigint) =>
        chain().readContract({ ...token, functionName: 'balanceOf', args: [sender], blockNumber: at });
      const paid = (await owned(blockNumber - 1n)) - (await owned(blockNumber));
      expect(paid).toBeGreaterThan(0n);
      expect(paid).toBeLessThanOrEqual(BigInt(Math.round(Number(most) * 1e6)));
      // What it shows is nearer to what is paid than the maximum is.
      const off = (shown: string) => Math.abs(Number(shown) * 1e6 - Number(paid));
      expect(off(about)).toBeLessThan(off(most) / 2);
    });

    test('eip-7702.ts lands calls of the owner’s own address, which has no coin, and again without another authorization', async () => {
      const owner = privateKeyToAddress((running().env.OWNER_KEY ?? '0x') as Hex);
      for (const run of ['first', 'second']) {
        const landed = await landedIn(await runExample('eip-7702.ts', {}, run));
        expect(landed).toMatchObject({ sender: owner, success: true, increments: 2n, bySponsor: true });
        expect(await coinOf(owner)).toBe(0n);
      }
      expect(await chain().getTransactionCount({ address: owner })).toBe(1);
    });

    test('wagmi-eip-5792.ts has a wallet send its calls, paid by the paymaster that the page names', async () => {
      const printed = await runExample('wagmi-eip-5792.ts');
      expect(printed[0]).toBe('the wallet takes paymaster services');
      const landed = await landedIn(printed);
      expect(landed).toMatchObject({ success: true, increments: 2n, bySponsor: true });
      expect(await coinOf(landed.sender)).toBe(0n);
    });

    test('backend/route.ts lets a program use a paymaster whose apiKey it does not have, and hands on nothing else', async () => {
      const { POST } = (await load('backend/route.ts')) as typeof import('../../clients/sdk/examples/backend/route.ts');
      const ask = (body: string) => POST(new Request('http://backend.test/', { method: 'POST', body }));
      const server = createServer(async (incoming, response) => {
        const answer = await ask(await text(incoming));
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const route = { PAYMASTER_URL: `http://127.0.0.1:${port}/api/paymaster` };
      const printed = await runExample('sponsored.ts', route, 'behind the backend').finally(() => server.close());
      expect(await landedIn(printed)).toMatchObject({ success: true, increments: 1n, bySponsor: true });
      expect(printed.at(-1)).toBe('fail() is not whitelisted, so it was refused: METHOD_NOT_WHITELISTED');

      expect((await ask('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}')).status).toBe(404);
      expect((await ask('[{"jsonrpc":"2.0","id":1,"method":"pm_supportedEntryPoints"}]')).status).toBe(400);
      expect((await ask(`"${'a'.repeat(300_000)}"`)).status).toBe(413);
    });
  });
}
