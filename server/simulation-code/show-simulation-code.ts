import { size } from 'viem';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { textFlag } from '../../clients/cli/terminal/text-flag.ts';
import { loadConfig } from '../config/load-config.ts';
import { withOwnConfig } from '../config/own-config.ts';
import { openChain } from '../paymaster-contract/chain-access.ts';
import { readSimulationCodes, type SimulationCodeThere } from './read-simulation-codes.ts';

type Shown = Pick<SimulationCodeThere, 'name' | 'address' | 'isThere'> & {
  readonly chainId: number;
  readonly bytes: number;
};

/** `tollfree simulation-code status`: which simulation codes are deployed on which chain. Changes nothing. */
export async function showSimulationCode(flags: Flags): Promise<void> {
  const config = loadConfig(withOwnConfig(flags));
  const wanted = textFlag(flags, 'chain');
  const ids = wanted === undefined ? (config.chains ?? []).map(({ chainId }) => String(chainId)) : [wanted];
  const found: Shown[] = [];
  for (const chain of ids) {
    const access = await openChain(config, { ...flags, chain });
    for (const { name, code, address, isThere } of await readSimulationCodes(access)) {
      found.push({ chainId: access.chain.chainId, name, address, bytes: size(code), isThere });
    }
  }
  printAnswer(flags, found, () => {
    for (const { chainId, name, address, bytes, isThere } of found) {
      const how = isThere ? 'on chain' : `not on chain: its ${bytes} bytes are sent with each simulation`;
      printLine(`${String(chainId).padEnd(10)} ${name.padEnd(15)} ${address} ${how}`);
    }
  });
}
