import { concat } from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { deploymentProxy, zeroSalt } from '../../core/evm/deployment-proxy.ts';
import { tankFunderBytecode } from '../../core/evm/tank-funder/tank-funder.generated.ts';
import { tankFunderAddress } from '../../core/evm/tank-funder/tank-funder.ts';
import { loadConfig, withOwnConfig } from '../config/load-config.ts';
import { carryOut, toAnswer } from './carry-out.ts';
import { askChain, openChain } from './configured-contract.ts';
import { findPayer } from './payer.ts';

/**
 * `tollfree paymaster-contract deploy --tank-funder`: the contract with which Safes and others fill gas tanks. It has no
 * owner and is shared by all services on the chain.
 */
export async function deployTankFunder(given: Flags): Promise<void> {
  const flags = withOwnConfig(given);
  const access = await openChain(loadConfig(flags), flags);
  const { chainId } = access.chain;
  const hasCode = async (address: `0x${string}`) =>
    (await askChain(chainId, access.client.getCode({ address }))) !== undefined;
  if (await hasCode(tankFunderAddress)) {
    const answer = { chainId, address: tankFunderAddress, sent: false, alreadyThere: true };
    return printAnswer(flags, answer, () => printHint(`It is at ${tankFunderAddress} already. Nothing was sent.`));
  }
  if (!(await hasCode(deploymentProxy))) {
    throw mistake(`Chain ${chainId} has no deployment proxy at ${deploymentProxy}, which deploys the contract.`);
  }
  const payer = await findPayer(flags);
  const planned = {
    action: 'deploy the tank funder',
    from: payer.address,
    to: deploymentProxy,
    data: concat([zeroSalt, tankFunderBytecode]),
    value: 0n,
    facts: [['address', tankFunderAddress]] as const,
    changes: `gas tanks on chain ${chainId} can be filled by any wallet, through ${tankFunderAddress}`,
  };
  const done = await carryOut(access, { planned, payer }, flags);
  printAnswer(flags, { ...toAnswer(chainId, done), address: tankFunderAddress }, () => {
    if (done.receipt !== undefined) printLine(`address        ${tankFunderAddress}`);
  });
}
