import { counted } from '@tollfree/contract/counted';
import { type Address, formatEther, parseAbi } from 'viem';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import { checkContract } from '../../../core/runtime/check-chain.ts';
import type { HotWalletSection } from '../../config/chain-part-schemas.ts';
import type { ChainSection } from '../../config/chain-schema.ts';
import { addressOfKey } from '../../keystores.ts';
import {
  type ConfiguredContract,
  configuredContracts,
  contractAbi,
} from '../../paymaster-contract/configured-contract.ts';
import { leastStake, minUnstakeDelay, needsStake } from '../../paymaster-contract/family-facts.ts';
import { type Check, type Finding, type Findings, type FindingsAbout, findingsAbout } from '../finding.ts';

const facesAbi = parseAbi(['function entryPoint() view returns (address)', 'function owner() view returns (address)']);

/** Checks each paymaster contract of a chain: its EntryPoint, its deposit and stake, and whether it accepts our keys. */
export function checkContracts(
  chain: ChainSection,
  client: ChainClient,
  signers: readonly Address[],
): readonly Check[] {
  return configuredContracts(chain).map((contract) => {
    const about = `chain ${chain.chainId}, contract ${contract.version}`;
    return { about, run: () => lookAt({ chain, client, contract, signers, find: findingsAbout(about) }) };
  });
}

type Looked = {
  readonly chain: ChainSection;
  readonly client: ChainClient;
  readonly contract: ConfiguredContract;
  readonly signers: readonly Address[];
  readonly find: FindingsAbout;
};

async function lookAt(looked: Looked): Promise<Findings> {
  const { client, contract, find } = looked;
  const { address, entryPoint, family } = contract;
  const [entryPointCode, code] = await Promise.all([
    client.getCode({ address: entryPoint }),
    client.getCode({ address }),
  ]);
  if (entryPointCode === undefined) {
    const message = `There is no EntryPoint ${family.entryPointVersion} at ${entryPoint}.`;
    return find.failure(
      'entry-point-missing',
      message,
      'Correct entryPoints of the chain, or use a family for an EntryPoint that the chain has.',
    );
  }
  if (code === undefined) {
    const remedy = `Correct its address, or deploy it: tollfree paymaster-contract deploy --family ${family.name}`;
    return find.failure('contract-missing', `There is no contract at ${address}.`, remedy);
  }
  const found = await Promise.all([checkFaces(looked), checkSigners(looked), checkDeposit(looked)]);
  return [find.ok('entry-point', `EntryPoint ${family.entryPointVersion} is at ${entryPoint}.`), ...found.flat()];
}

async function checkFaces({ client, contract, find }: Looked): Promise<Findings> {
  const { address, entryPoint } = contract;
  const read = (functionName: 'entryPoint' | 'owner') =>
    client.readContract({ address, abi: facesAbi, functionName }).catch(() => undefined);
  const [itsEntryPoint, owner] = await Promise.all([read('entryPoint'), read('owner')]);
  const findings: Finding[] = [];
  if (itsEntryPoint !== undefined && itsEntryPoint.toLowerCase() !== entryPoint.toLowerCase()) {
    const remedy = 'Correct its family, its address, or entryPoints of the chain.';
    findings.push(
      find.failure(
        'contract-entry-point',
        `It belongs to the EntryPoint at ${itsEntryPoint}, not to ${entryPoint}.`,
        remedy,
      ),
    );
  }
  if (owner !== undefined) findings.push(find.ok('contract-owner', `Its owner, who may withdraw, is ${owner}.`));
  return findings;
}

async function checkSigners({ chain, client, contract, signers, find }: Looked): Promise<Findings> {
  const { address, entryPoint, family, version } = contract;
  const { chainId, allowedBundlers } = chain;
  const location = { chainId, address, entryPoint, ...(allowedBundlers === undefined ? {} : { allowedBundlers }) };
  const found = await Promise.all(
    signers.map(async (signer, index) => {
      const complaint = await checkContract(
        { client, config: { chainId } },
        { family, location, version },
        signer,
      ).catch(() => undefined);
      if (complaint === undefined) return find.ok('signer-accepted', `It accepts the signatures of ${signer}.`);
      const remedy = complaint.remedy ?? `Correct its family (${family.name}) or its address.`;
      // A former key may already be removed; the newest one must sign.
      return index === 0
        ? find.failure('signer-refused', complaint.text, remedy)
        : find.warning('signer-refused', complaint.text, remedy);
    }),
  );
  if (signers.length > 0) return found;
  return find.warning(
    'signer-unknown',
    'No key could be opened to check whether it accepts its signatures.',
    'Fix the signer of the chain, or set its passwordFile.',
  );
}

async function checkDeposit({ chain, client, contract, find }: Looked): Promise<Findings> {
  const { address, entryPoint, family } = contract;
  const info = await client
    .readContract({ address: entryPoint, abi: contractAbi, functionName: 'getDepositInfo', args: [address] })
    .catch(() => undefined);
  if (info === undefined) {
    return find.failure(
      'deposit-unknown',
      'The EntryPoint does not report its deposit.',
      'Check that entryPoints of the chain names an EntryPoint.',
    );
  }
  const [deposit, staked, stake, unstakeDelay] = info;
  const noDeposit = find.warning(
    'deposit-empty',
    'It has no deposit, so no operation can land.',
    'Fill a gas tank: tollfree tank show prints the call.',
  );
  return [
    deposit === 0n ? noDeposit : find.ok('deposit', `Its deposit is ${formatEther(deposit)} ether.`),
    needsStake(family)
      ? judgeStake({ staked, stake, unstakeDelay }, chain.chainId, find)
      : find.ok('stake', 'It needs no stake: it reads no storage of its own.'),
  ];
}

function judgeStake(
  { staked, stake, unstakeDelay }: { readonly staked: boolean; readonly stake: bigint; readonly unstakeDelay: number },
  chainId: number,
  find: FindingsAbout,
): Finding {
  const least = leastStake(chainId);
  const missing = staked ? least.wei - stake : least.wei;
  const remedy = `Stake: tollfree paymaster-contract stake "${formatEther(missing > 0n ? missing : 1n)} ether"`;
  if (!staked) {
    const message =
      stake === 0n
        ? 'It has no stake. Bundlers refuse unstaked contracts that read their own storage.'
        : 'Its stake is unlocked.';
    return find.warning('stake-missing', message, remedy);
  }
  const has = `Its stake is ${formatEther(stake)} ether`;
  if (missing > 0n) return find.warning('stake-low', `${has}. Some bundlers want ${least.text}.`, remedy);
  if (unstakeDelay < minUnstakeDelay) {
    const message = `${has}, with an unstake delay of ${counted(unstakeDelay, 'second')}. Bundlers want ${minUnstakeDelay}.`;
    return find.warning('stake-low', message, `${remedy} --unstake-delay ${minUnstakeDelay}`);
  }
  return find.ok('stake', `${has}.`);
}

/** Checks the chain's hot wallet, if it has one: it should have what it may send in a day. */
export function checkHotWallet(chain: ChainSection, client: ChainClient): readonly Check[] {
  const { hotWallet, chainId } = chain;
  if (hotWallet === undefined) return [];
  const about = `chain ${chainId}, hot wallet`;
  return [{ about, run: () => lookAtHotWallet(hotWallet, client, about) }];
}

async function lookAtHotWallet(
  { wallet, maxPerDay }: HotWalletSection,
  client: ChainClient,
  about: string,
): Promise<Finding> {
  const find = findingsAbout(about);
  const address = await addressOfKey(wallet);
  if (address === undefined) {
    return find.failure(
      'hot-wallet-key',
      'Its key cannot be read, so the service does not start.',
      'Check keystoreFile and passwordFile of hotWallet.wallet.',
    );
  }
  const balance = await client.getBalance({ address });
  if (balance < maxPerDay) {
    return find.warning(
      'hot-wallet-low',
      `${address} has ${formatEther(balance)} ether, less than maxPerDay.`,
      `Send it coin: it should have at least ${formatEther(maxPerDay)} ether.`,
    );
  }
  return find.ok('hot wallet', `${address} has ${formatEther(balance)} ether.`);
}
