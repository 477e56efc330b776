import { type Address, type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CliError } from '../../clients/cli/terminal/cli-error.ts';
import { accountsOfPublicChains, copyContracts } from '../../server/dev/devnet/copy-contracts.ts';
import { createDevnetClient } from '../../server/dev/devnet/devnet-client.ts';
import { startAnvil } from '../../server/dev/devnet/start-anvil.ts';

const { contracts, words } = accountsOfPublicChains;
const lightAccount11: Address = '0xae8c656ad28F2B59a196AB61815C16A0AE1c3cba';

async function startChain(chainId: number) {
  const { rpcUrl, close } = await startAnvil({ port: 0, chainId });
  return { rpcUrl, close, client: createDevnetClient(rpcUrl, chainId) };
}
type Chain = Awaited<ReturnType<typeof startChain>>;

/** Each contract gets code of its own. */
const codeOf = (index: number): Hex => `0x60${(index + 1).toString(16).padStart(2, '0')}00`;
const value = numberToHex(2n ** 64n - 1n, { size: 32 });

let publicChain: Chain;
beforeAll(async () => {
  publicChain = await startChain(1);
  for (const [index, { address }] of contracts.entries()) {
    await publicChain.client.setCode({ address, bytecode: codeOf(index) });
  }
  for (const { address, slot } of words) await publicChain.client.setStorageAt({ address, index: slot, value });
});
afterAll(() => publicChain?.close());

async function startOwn(): Promise<Chain> {
  const own = await startChain(31_337);
  onTestFinished(() => own.close());
  return own;
}

async function failureOf(copying: Promise<void>): Promise<CliError> {
  const failure = await copying.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof CliError)) throw new Error('It did not fail with a sentence.', { cause: failure });
  return failure;
}

describe('tollfree dev --accounts-from', () => {
  test('copies the code and words of each contract to its address', async () => {
    const { client } = await startOwn();
    await copyContracts(client, publicChain.rpcUrl, accountsOfPublicChains);
    for (const [index, { address }] of contracts.entries()) {
      expect(await client.getCode({ address })).toBe(codeOf(index));
    }
    for (const { address, slot } of words) expect(await client.getStorageAt({ address, slot })).toBe(value);
  });

  test('keeps what the chain has, and does not ask for it again', async () => {
    const { client } = await startOwn();
    await client.setCode({ address: lightAccount11, bytecode: '0x5b' });
    await copyContracts(client, publicChain.rpcUrl, accountsOfPublicChains);
    await copyContracts(client, 'http://127.0.0.1:1', accountsOfPublicChains);
    expect(await client.getCode({ address: lightAccount11 })).toBe('0x5b');
  });

  test('refuses a chain that lacks a contract, names it, and copies nothing', async () => {
    const { client } = await startOwn();
    const address = contracts.at(-1)?.address as Address;
    const bytecode = (await publicChain.client.getCode({ address })) as Hex;
    await publicChain.client.setCode({ address, bytecode: '0x' });
    onTestFinished(() => publicChain.client.setCode({ address, bytecode }));
    const { message } = await failureOf(copyContracts(client, publicChain.rpcUrl, accountsOfPublicChains));
    expect(message).toContain(`${address} (batch helper of Safe7579 1)`);
    expect(await client.getCode({ address: lightAccount11 })).toBeUndefined();
  });

  test('says that a node does not answer, without its URL', async () => {
    const { client } = await startOwn();
    const failure = await failureOf(copyContracts(client, 'http://127.0.0.1:1/secret-key', accountsOfPublicChains));
    expect(failure.message).toBe('The node of the public chain does not answer eth_getCode. Is its URL right?');
    expect(JSON.stringify([failure, failure.cause, failure.stack])).not.toMatch(/secret-key|127\.0\.0\.1/);
  });
});
