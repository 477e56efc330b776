import type { Devnet } from '../../../server/dev/devnet/devnet.ts';

/** What a chain waits for when the operator does not say. */
const shippedConfirmations = 10;

/**
 * Mines so many blocks that what is on the chain is confirmed. They keep the base fee of the last one: empty blocks would
 * let it fall to nothing.
 */
export async function mineConfirmations({ client }: Devnet): Promise<void> {
  const { baseFeePerGas } = await client.getBlock();
  for (let mined = 0; mined < shippedConfirmations; mined += 1) {
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeePerGas ?? 0n });
    await client.mine({ blocks: 1 });
  }
}
