import { concat, type Hex, size } from 'viem';
import { mistake, tryAgain } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint } from '../../clients/cli/terminal/print-answer.ts';
import { deploymentProxy, zeroSalt } from '../../core/evm/deployment-proxy.ts';
import { creationCodeOf } from '../../core/gas/simulation/simulation-code.ts';
import { loadConfig } from '../config/load-config.ts';
import { withOwnConfig } from '../config/own-config.ts';
import { carryOut, toAnswer } from '../paymaster-contract/carry-out.ts';
import { askChain, type ChainAccess, openChain } from '../paymaster-contract/chain-access.ts';
import { findPayer, type Payer } from '../paymaster-contract/payer.ts';
import { readSimulationCodes, type SimulationCodeThere } from './read-simulation-codes.ts';

/**
 * `tollfree simulation-code deploy`: a transaction for each code that is not on chain yet. The result has no owner, and is
 * the same whoever deploys it.
 */
export async function deploySimulationCode(given: Flags): Promise<void> {
  const flags = withOwnConfig(given);
  const access = await openChain(loadConfig(flags), flags);
  const payer = await findPayer(flags);
  const { chainId } = access.chain;
  if ((await askChain(chainId, access.client.getCode({ address: deploymentProxy }))) === undefined) {
    throw mistake(`Chain ${chainId} has no deployment proxy at ${deploymentProxy}, which deploys the code.`);
  }
  const codes = await readSimulationCodes(access);
  const outcomes: Record<string, unknown>[] = [];
  for (const code of codes) outcomes.push(await deployOne(access, code, payer, flags));
  printAnswer(flags, outcomes, () => {
    if (codes.every(({ isThere }) => isThere)) printHint('Everything is already deployed. Nothing was sent.');
    else if (outcomes.some(({ sent }) => sent))
      printHint('The service uses it about ten minutes after it is confirmed.');
  });
}

async function deployOne(
  access: ChainAccess,
  { name, code, address, isThere }: SimulationCodeThere,
  payer: Payer,
  flags: Flags,
): Promise<Record<string, unknown>> {
  const { chainId } = access.chain;
  if (isThere) return { name, address, chainId, sent: false, alreadyThere: true };
  const planned = {
    action: `deploy the simulation code (${name})`,
    from: payer.address,
    to: deploymentProxy,
    data: concat([zeroSalt, creationCodeOf(code)]),
    value: 0n,
    facts: [['address', address]] as const,
    changes: `${size(code)} bytes of code at ${address}, without an owner`,
  };
  const done = await carryOut(access, { planned, payer }, flags);
  if (done.receipt !== undefined) await checkMade(access, address, code);
  return { name, address, ...toAnswer(chainId, done) };
}

async function checkMade({ chain, client }: ChainAccess, address: Hex, code: Hex): Promise<void> {
  if ((await askChain(chain.chainId, client.getCode({ address }))) === code) return;
  throw tryAgain(`The transaction landed, but its code is not at ${address} yet. Check again: simulation-code status.`);
}
