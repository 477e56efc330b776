import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestClient, http } from 'viem';
import { expect, test, vi } from 'vitest';
import { startAnvil } from '../../server/dev/devnet/start-anvil.ts';

/** More than the node keeps the states of in its memory; those of older ones go to the disk. */
const blocks = 600;

test('the development chain leaves no files behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'anvil-files-'));
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('HOME', folder);
  try {
    const node = await startAnvil({ port: 0, chainId: 31_337 });
    const chain = createTestClient({ mode: 'anvil', transport: http(node.rpcUrl) });
    await chain.mine({ blocks });
    const written = await readdir(folder, { recursive: true });
    expect(written.filter((name) => name.endsWith('.json')).length).toBeGreaterThan(0);
    await node.close();
    expect(await readdir(folder)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  }
});
