import { type Address, BaseError, type Hex } from 'viem';
import { utcTime } from '../../base/time/clock.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import { entryPoint07Abi, nonceSequenceBits } from '../../evm/entry-point/entry-point-abi.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/family/family.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { readDepositAt } from '../../node/read-deposits.ts';
import type { HoldToRelease } from './read-open-holds.ts';

/** The length of a word as hex digits. */
const wordLength = 66;

/**
 * Whether a paymaster contract accepts what a key has signed, as of a block, or as of the newest one. Assumed for a contract
 * that cannot be asked.
 *
 * @throws BaseError when the node does not answer, or with something that is not a word.
 */
async function acceptsKey(
  client: ChainClient,
  { family, location }: Pick<PaymasterContractRuntime, 'family' | 'location'>,
  key: Address,
  blockNumber: bigint,
): Promise<boolean> {
  const checks = family.preflight(location, key).filter(({ about }) => about === 'signer');
  if (checks.length === 0) return true;
  const to = location.address;
  for (const check of checks) {
    const answers = [
      await client.call({ to, data: check.data, blockNumber }),
      await client.call({ to, data: check.data, blockTag: 'latest' }),
    ];
    for (const { data } of answers) {
      if (data?.length !== wordLength)
        throw new BaseError('The paymaster contract does not report which keys it accepts.');
    }
    if (!('expected' in check)) return true;
    if (answers.some(({ data }) => data === check.expected)) return true;
  }
  return false;
}

/** How far the ledger of a contract has come: its last block, and its deposit there, in wei. */
export type LedgerPosition = { readonly atBlock: bigint; readonly lastHash: Hex; readonly deposit: bigint };

type Asked = {
  readonly nodes: readonly ChainClient[];
  /** The versions that are configured for the hold's contract. */
  readonly contracts: readonly PaymasterContractRuntime[];
  readonly hold: HoldToRelease;
  readonly ledger: LedgerPosition;
};

/**
 * What shows that nothing signed under a hold can land any more, in words, as of the last block of the ledger: every node
 * agrees at that block, and the ledger includes what has landed by then. Refuses with what would show it.
 */
export async function proveEnded(asked: Asked): Promise<Result<string>> {
  const reported: Reported[] = [];
  for (const [index, node] of asked.nodes.entries()) {
    try {
      const one = await askOne(node, asked);
      if ('differs' in one) return unavailable(`node ${index + 1} of the chain ${one.differs}`);
      reported.push(one);
    } catch (cause) {
      if (!(cause instanceof BaseError)) throw cause;
      return unavailable(`node ${index + 1} of the chain did not answer all questions`);
    }
  }
  const { hold, ledger } = asked;
  const at = `at block ${ledger.atBlock}`;
  if (reported.length === 0) return unavailable('the chain has no node');
  if (reported.every(({ isPast }) => isPast)) return accept(`the signature had ended ${at}`);
  if (reported.every(({ movedOn }) => movedOn))
    return accept(`the account had used the nonce for another operation ${at}`);
  if (reported.every(({ accepted }) => accepted?.length === 0)) {
    return accept(`the contract accepted none of the keys that had signed ${at}: ${hold.signers?.join(', ')}`);
  }
  return invalidField(
    'holdId',
    `must be of a hold under which nothing can land any more: ${at} one of its operations still could. ${whenItEnds(asked, reported)}`,
  );
}

/** What a node reports about a hold; `accepted` are those of its keys that still count, undefined when not all are known. */
type Reported = {
  readonly isPast: boolean;
  readonly movedOn: boolean;
  readonly accepted: readonly Address[] | undefined;
};

async function askOne(node: ChainClient, asked: Asked): Promise<Reported | { readonly differs: string }> {
  const { contracts, hold, ledger } = asked;
  const { atBlock: blockNumber, lastHash, deposit } = ledger;
  const { hash, timestamp } = await node.getBlock({ blockNumber });
  if (hash !== lastHash) return { differs: `has another block ${blockNumber} than the ledger` };
  for (const { location } of contracts) {
    const { entryPoint, address: contract, executors } = location;
    const onChain = await readDepositAt(node, { entryPoint, contract, executors }, blockNumber);
    if (onChain !== deposit)
      return { differs: `reports a deposit at block ${blockNumber} that differs from the ledger` };
  }
  const { sender, nonce, validUntil } = hold;
  const used = contracts.map(({ location }) => hasMovedOn(node, { ...location, sender, nonce }, blockNumber));
  const movedOn = (await Promise.all(used)).every(Boolean);
  const isPast = validUntil !== undefined && validUntil < Number(timestamp);
  return { isPast, movedOn, accepted: await acceptedKeys(node, asked) };
}

async function acceptedKeys(node: ChainClient, { contracts, hold, ledger }: Asked): Promise<Reported['accepted']> {
  if (hold.signers === undefined) return undefined;
  const accepted: Address[] = [];
  for (const signer of hold.signers) {
    const asked = contracts.map((contract) => acceptsKey(node, contract, signer, ledger.atBlock));
    if ((await Promise.all(asked)).some(Boolean)) accepted.push(signer);
  }
  return accepted;
}

function whenItEnds({ hold, nodes }: Asked, reported: readonly Reported[]): string {
  const { sender, nonce, validUntil } = hold;
  const keys = reported.flatMap(({ accepted }) => accepted ?? []);
  const byKeys =
    hold.signers === undefined
      ? 'the keys that signed under it are not known'
      : `or the contract no longer accepts ${[...new Set(keys)].join(', ')}`;
  const byNonce = `It can be released once ${sender} has used nonce ${nonce} for another operation, ${byKeys}, at a confirmed block`;
  const byAll = nodes.length > 1 ? ' that every node reports' : '';
  if (validUntil === undefined) return `${byNonce}${byAll}. Its signatures never expire.`;
  return `${byNonce}${byAll}. It is released automatically once the chain's confirmed time is past ${utcTime(validUntil)}.`;
}

function unavailable(why: string) {
  return refuse({
    reason: 'CHAIN_UNAVAILABLE',
    message: `The proof that the hold can be released failed: ${why}.`,
  });
}

/** An account's nonce at an EntryPoint. */
type UsedNonce = { readonly entryPoint: Address; readonly sender: Address; readonly nonce: bigint };

/**
 * Whether an account had used up a nonce by the end of a block: the EntryPoint never accepts an operation with it again.
 *
 * @throws BaseError when the node does not answer, or answers for another nonce key.
 */
export async function hasMovedOn(
  client: ChainClient,
  { entryPoint: address, sender, nonce }: UsedNonce,
  blockNumber: bigint,
): Promise<boolean> {
  const key = nonce >> BigInt(nonceSequenceBits);
  const next = await client.readContract({
    address,
    abi: entryPoint07Abi,
    functionName: 'getNonce',
    args: [sender, key],
    blockNumber,
  });
  if (next >> BigInt(nonceSequenceBits) !== key) throw new BaseError('The node returned a nonce of another key.');
  return next > nonce;
}

/**
 * Whether an account is past a nonce according to all nodes that answer, of which there has to be one: trusting a single wrong one would let wei be
 * spent twice.
 */
export async function hasMovedOnByAll(
  nodes: readonly ChainClient[],
  used: UsedNonce,
  blockNumber: bigint,
): Promise<boolean> {
  const reported = await Promise.allSettled(nodes.map((node) => hasMovedOn(node, used, blockNumber)));
  const [first] = reported.filter((one) => one.status === 'rejected');
  if (first !== undefined && reported.every(({ status }) => status === 'rejected')) throw first.reason;
  return reported.every((one) => one.status === 'rejected' || one.value);
}
