import { counted } from '@tollfree/contract/counted';
import { formatEther } from 'viem';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { loadConfig, withOwnConfig } from '../config/load-config.ts';
import {
  askChain,
  type ChainAccess,
  type ConfiguredContract,
  checkSigner,
  configuredContracts,
  configuredSigners,
  contractAbi,
  findContract,
  openChain,
} from './configured-contract.ts';

/** `tollfree paymaster-contract status`: the on-chain state of each configured contract. Changes nothing. */
export async function showContracts(flags: Flags): Promise<void> {
  const config = loadConfig(withOwnConfig(flags));
  const wanted = textFlag(flags, 'chain');
  const ids = wanted === undefined ? (config.chains ?? []).map(({ chainId }) => String(chainId)) : [wanted];
  const found: Status[] = [];
  for (const chain of ids) {
    const access = await openChain(config, { ...flags, chain });
    const named = textFlag(flags, 'contract') !== undefined;
    const contracts = named ? [findContract(access.chain, flags)] : configuredContracts(access.chain);
    for (const contract of contracts) found.push(await readStatus(access, contract));
  }
  printAnswer(flags, found, () => {
    if (found.length === 0)
      printHint('The configuration has no paymaster contracts: tollfree paymaster-contract deploy');
    for (const [index, status] of found.entries()) printStatus(status, index === 0);
  });
}

type Status = Awaited<ReturnType<typeof readStatus>>;

async function readStatus(access: ChainAccess, contract: ConfiguredContract) {
  const { chain, client } = access;
  const { address, entryPoint, family, version } = contract;
  const [deposit, staked, stake, unstakeDelay, withdrawTime] = await askChain(
    chain.chainId,
    client.readContract({ address: entryPoint, abi: contractAbi, functionName: 'getDepositInfo', args: [address] }),
  );
  const signers = await Promise.all(
    configuredSigners(chain).map(async (signer) => {
      const complaint = await checkSigner(access, contract, signer);
      const fault = complaint === undefined ? null : `${complaint.text} ${complaint.remedy ?? ''}`.trim();
      return { signer, fault };
    }),
  );
  return {
    chainId: chain.chainId,
    version,
    family: family.name,
    address,
    entryPoint,
    deposit: `${deposit}`,
    stake: `${stake}`,
    staked,
    unstakeDelaySeconds: unstakeDelay,
    stakeUnlocksAt: withdrawTime === 0 ? null : withdrawTime,
    signers,
  };
}

function printStatus(status: Status, isFirst: boolean): void {
  const { version, family, address, chainId, entryPoint, deposit, stake, staked, stakeUnlocksAt, signers } = status;
  const unlocked = stakeUnlocksAt === null ? '' : `, unlocked, can be withdrawn from ${formatTime(stakeUnlocksAt)} on`;
  const stakeText = staked ? `, for ${counted(status.unstakeDelaySeconds, 'second')} after it is unlocked` : unlocked;
  if (!isFirst) printLine('');
  printLine(`contract       ${address} on chain ${chainId}`);
  printLine(`version        ${version} (${family})`);
  printLine(`EntryPoint     ${entryPoint}`);
  printLine(`deposit        ${formatEther(BigInt(deposit))} ether`);
  printLine(`stake          ${formatEther(BigInt(stake))} ether${stakeText}`);
  for (const { signer, fault } of signers) printLine(`signer         ${signer}: ${fault ?? 'accepted'}`);
}
