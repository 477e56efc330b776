import { numberToHex } from 'viem';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import type { HandClock } from './hand-clock.ts';

/** Wei per gas of every block of a recording: odd, so that shares of a cost have to be rounded. */
export const baseFeePerGas = 1_000_000_007n;

/** Makes every block of a chain the same again: its time follows the recording's clock, and its base fee does not move. */
export type ChainTime = {
  /** Settles time and base fee of the next block. Before each transaction. */
  settleNext(): Promise<void>;
  mine(blocks?: number): Promise<void>;
  /** After the chain was put back to an earlier block. */
  forgetNewest(): Promise<void>;
};

export function createChainTime({ client }: Devnet, clock: HandClock): ChainTime {
  let newest: number | undefined;
  const ask = (method: string, ...params: readonly unknown[]) =>
    client.request({ method: method as never, params: params as never });

  async function settleNext(): Promise<void> {
    newest ??= Number((await client.getBlock()).timestamp);
    newest = Math.max(newest + 1, clock.seconds());
    await ask('evm_setNextBlockTimestamp', newest);
    await ask('anvil_setNextBlockBaseFeePerGas', numberToHex(baseFeePerGas));
  }

  return {
    settleNext,
    mine: async (blocks = 1) => {
      for (let mined = 0; mined < blocks; mined += 1) {
        await settleNext();
        await ask('evm_mine');
      }
    },
    forgetNewest: async () => {
      newest = undefined;
    },
  };
}
