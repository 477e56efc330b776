import { type Address, parseAbi, parseEther } from 'viem';
import { mistake, tryAgain } from '../../../clients/cli/terminal/cli-error.ts';
import type { DevnetClient } from './devnet-client.ts';

const stakeAbi = parseAbi([
  'function addStake(uint32 unstakeDelaySec) payable',
  'function getDepositInfo(address account) view returns (uint256 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime)',
]);

const stake = parseEther('1');
/** The minimum that bundlers accept under ERC-7562: one day. */
const unstakeDelaySeconds = 86_400;

/**
 * Stakes a paymaster contract at its EntryPoint unless it is staked, impersonating its owner. Requires a development node.
 */
export async function stakePaymaster(
  client: DevnetClient,
  parts: { entryPoint: Address; paymaster: Address; owner: Address },
): Promise<void> {
  const { entryPoint, paymaster, owner } = parts;
  const info = await client.readContract({
    address: entryPoint,
    abi: stakeAbi,
    functionName: 'getDepositInfo',
    args: [paymaster],
  });
  const staked = info[1];
  if (staked) return;
  try {
    await client.impersonateAccount({ address: owner });
  } catch (error) {
    throw mistake(
      'The node cannot act for the paymaster owner, so it is not a development node (anvil, hardhat).',
      error,
    );
  }
  try {
    const balance = await client.getBalance({ address: owner });
    await client.setBalance({ address: owner, value: balance + stake + parseEther('1') });
    const hash = await client.writeContract({
      account: owner,
      chain: client.chain,
      address: paymaster,
      abi: stakeAbi,
      functionName: 'addStake',
      args: [unstakeDelaySeconds],
      value: stake,
    });
    const receipt = await client.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw tryAgain(`Staking the paymaster ${paymaster} reverted (${hash}).`);
  } finally {
    await client.stopImpersonatingAccount({ address: owner });
  }
}
