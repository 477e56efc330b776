import { expect, test } from 'vitest';
import { createChainClient } from '../../core/node/chain-client.ts';
import { hasP256, readP256 } from '../../core/node/p256-precompile.ts';
import { startAnvil } from '../../server/dev/devnet/start-anvil.ts';
import { respondError, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';

const clientOf = (url: string) =>
  createChainClient({ chainId: 1, name: 'chain', nodeUrls: [url], callTimeoutMs: 5_000, pollIntervalMs: 100 });

test('a real node verifies our signature in its precompile', async () => {
  const node = await startAnvil({ port: 0, chainId: 1 });
  try {
    const client = clientOf(node.rpcUrl);
    expect(hasP256(client)).toBeUndefined();
    expect(await readP256(client)).toBe(true);
    expect(hasP256(client)).toBe(true);
  } finally {
    await node.close();
  }
});

test.each([
  ['0x', false],
  [`0x${'0'.repeat(64)}`, false],
  [`0x${'1'.padStart(64, '0')}`, true],
])('a node that answers %s has the precompile: %s', async (answer, isThere) => {
  const node = await startRpcServer((request, response) => respondResult(response, request, answer));
  try {
    expect(await readP256(clientOf(node.url))).toBe(isThere);
  } finally {
    await node.close();
  }
});

test('a node that does not answer leaves what was known', async () => {
  let isDown = false;
  const node = await startRpcServer((request, response) =>
    isDown ? respondError(response, request, -32_000, 'no') : respondResult(response, request, '0x'),
  );
  try {
    const client = clientOf(node.url);
    expect(await readP256(client)).toBe(false);
    isDown = true;
    expect(await readP256(client)).toBe(false);
  } finally {
    await node.close();
  }
});
